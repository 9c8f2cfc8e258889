import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Java's own HttpClient. It has no multipart support: programs write the parts themselves, as here. It offers to upgrade
 * every request to HTTP/2, sends no Content-Type by default and, in Java 17, a Content-Length of 0 with GET.
 */
public class JavaClient {
    private static final HttpClient client = HttpClient.newHttpClient();
    private static String url;

    public static void main(String[] args) throws IOException, InterruptedException {
        url = args[0];
        Path file = Path.of(args[1]);

        String boundary = UUID.randomUUID().toString();
        BodyPublisher form = BodyPublishers.concat(
                BodyPublishers.ofString("--" + boundary + "\r\n"
                        + "Content-Disposition: form-data; name=\"file\"; filename=\"" + file.getFileName() + "\"\r\n"
                        + "Content-Type: text/plain\r\n\r\n"),
                BodyPublishers.ofFile(file),
                BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"));
        HttpResponse<String> upload = send(request("/uploads/direct")
                .header("Content-Type", "multipart/form-data; boundary=" + boundary).POST(form));
        HttpResponse<String> submit = send(request("/submissions").POST(BodyPublishers.ofString(
                "{\"assets\":[{\"blobPath\":\"" + member(upload, "blobPath") + "\"}],"
                        + "\"metadata\":{\"description\":\"" + "ä".repeat(1500) + "\"}}")));
        String submissionId = member(submit, "submissionId");
        String submission = "/submissions/" + submissionId;
        HttpResponse<String> read = send(request(submission).GET());
        send(request("/sandbox/events/fire").header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"eventType\":\"asset.processing.completed\",\"submissionId\":\""
                        + submissionId + "\"}")));
        send(request(submission + "/cancel").POST(BodyPublishers.ofString("")));
        send(request(submission + "/assets/" + member(submit, "assetId") + "/retry").POST(BodyPublishers.noBody()));

        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(member(read, "filename"));
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(60))
                .header("X-API-Key", System.getenv("ASSAY_KEY"));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String member(HttpResponse<String> answer, String name) {
        var matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(answer.body());
        if (!matcher.find()) {
            throw new IllegalStateException(answer.statusCode() + " without " + name + ": " + answer.body());
        }
        return matcher.group(1);
    }
}
