<?php
// PHP's curl: CURLFile for the file, json_encode for JSON (`/` as `\/`, `ä` as `\u00e4`). CURLOPT_POST alone sends an
// empty body in chunks and waits for 100 Continue; with empty CURLOPT_POSTFIELDS it is an empty form.
declare(strict_types=1);

[, $url, $file] = $argv;
$curl = curl_init();

/** @return array<string, mixed> the body of the response */
function call(string $path, array $options = [], string ...$headers): array
{
    global $curl, $url;
    curl_reset($curl);
    curl_setopt_array($curl, $options + [
        CURLOPT_URL => $url . $path,
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('ASSAY_KEY'), ...$headers],
        CURLOPT_ENCODING => '', // every supported encoding
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 60,
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        throw new RuntimeException(curl_error($curl));
    }
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}

// Without the third argument CURLFile sends the whole path as the file name, which is refused (403).
$form = ['file' => new CURLFile($file, null, basename($file))];
$stored = call('/uploads/direct', [CURLOPT_POSTFIELDS => $form]);
$submission = json_encode([
    'assets' => [['blobPath' => $stored['blobPath']]],
    'metadata' => ['description' => str_repeat('ä', 1500)],
]);
$created = call('/submissions', [CURLOPT_POSTFIELDS => $submission], 'Content-Type: application/json');
$path = "/submissions/{$created['submissionId']}";
$found = call($path);
$event = ['eventType' => 'asset.processing.completed', 'submissionId' => $created['submissionId']];
call('/sandbox/events/fire', [CURLOPT_POSTFIELDS => json_encode($event)]);
call("$path/cancel", [CURLOPT_POST => true]);
call("$path/assets/{$created['assets'][0]['assetId']}/retry", [CURLOPT_POSTFIELDS => '']);

echo $found['assets'][0]['filename'], "\n";
