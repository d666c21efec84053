import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Starts an execution under each key and waits for its end; repeats as java.net.http does, and after a second. */
class KeyedRuns {
  /** URL, file of a certificate, Authorization, keys. Prints a line for each key: key, status, body. */
  public static void main(String[] args) throws Exception {
    var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (var file = new FileInputStream(args[1])) {
      trusted.setCertificateEntry(
          "assay", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    var tls = SSLContext.getInstance("TLS");
    tls.init(null, managers.getTrustManagers(), null);
    var client = HttpClient.newBuilder().sslContext(tls).build();
    for (var i = 3; i < args.length; i++) {
      var request =
          HttpRequest.newBuilder(URI.create(args[0]))
              .header("Authorization", args[2])
              .header("credentials", "Y2k6c2VjcmV0")
              .header("Idempotency-Key", args[i])
              .timeout(Duration.ofMinutes(2))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      System.out.println(args[i] + " " + answer(client, request));
    }
  }

  static String answer(HttpClient client, HttpRequest request) throws Exception {
    for (var attempt = 0; ; attempt++) {
      try {
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() < 500) return response.statusCode() + " " + response.body();
      } catch (java.io.IOException lost) {
        if (attempt == 100) throw lost;
      }
      Thread.sleep(1_000);
    }
  }
}
