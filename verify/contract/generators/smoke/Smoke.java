import client.ApiClient;
import client.api.AccountApi;
import client.api.SubmissionsApi;
import client.model.Me;
import client.model.SubmissionList;
import java.util.stream.Collectors;

/** Calls the service with the client that OpenAPI Generator made for Java. */
public class Smoke {
    public static void main(String[] args) throws Exception {
        ApiClient api = new ApiClient();
        api.setBasePath(System.getenv("ASSAY_URL"));
        api.setApiKey(System.getenv("ASSAY_KEY"));
        Me me = new AccountApi(api).getMe();
        SubmissionList page = new SubmissionsApi(api).listSubmissions(null, null, null, null, 10, null);
        String ids = page.getSubmissions().stream()
                .map(submission -> '"' + submission.getSubmissionId().toString() + '"')
                .collect(Collectors.joining(","));
        System.out.printf("{\"workspaceId\":\"%s\",\"submissionIds\":[%s]}%n", me.getWorkspaceId(), ids);
        System.exit(0); // otherwise the HTTP client keeps its connections, and the process, for minutes
    }
}
