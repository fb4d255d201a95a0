import java.io.FileInputStream;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.*;
import java.security.*;
import java.security.cert.CertificateFactory;
import java.util.*;
import javax.net.ssl.*;

public class Call {
  static HttpClient http;

  static void call(String path, String command, String body, Charset charset) throws Exception {
    String time = String.valueOf(System.currentTimeMillis());
    byte[] sig = MessageDigest.getInstance("MD5").digest((path + time + "ak1" + "as1").getBytes());
    var request = HttpRequest.newBuilder(URI.create(System.getenv("URL") + path))
        .header("Content-Type", "application/json")
        .header("App-Key", "ak1")
        .header("App-Timestamp", time)
        .header("App-Sig", HexFormat.of().formatHex(sig))
        .header("Api-Module", "CHECKIN")
        .header("Api-Cmd", command)
        .POST(HttpRequest.BodyPublishers.ofString(body, charset))
        .build();
    System.out.println(http.send(request, HttpResponse.BodyHandlers.ofString()).body().trim());
  }

  static void feature(String value) throws Exception {
    call("/v2.0/cloudappapi", "feature_update", "{\"users\":[{\"ext_id\":\"e1\",\"feature_type\":\"fa\","
        + "\"feature_alg\":\"base64\",\"feature_value\":[\"" + value + "\"]}]}", StandardCharsets.UTF_8);
  }

  public static void main(String[] words) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (var one : CertificateFactory.getInstance("X.509").generateCertificates(new FileInputStream(System.getenv("CA"))))
      store.setCertificateEntry("box" + number++, one);
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    http = HttpClient.newBuilder().sslContext(context).build();
    byte[] value = HexFormat.of().parseHex(System.getenv("FEATURE"));
    call("/v2.0/cloudappapi", "checkin_query_init", "null", StandardCharsets.UTF_8);
    feature(Base64.getEncoder().encodeToString(value));
    feature(Base64.getUrlEncoder().encodeToString(value));
    String person = "{\"employee_ext_id\":\"e3\",\"name\":\"%s\",\"department_infos\":[]}";
    call("/v2.0/employee", "", person.formatted("J\u00fcrgen"), StandardCharsets.ISO_8859_1);
    call("/v2.0/employee", "", person.formatted("\u674e\u6885"), StandardCharsets.UTF_16LE);
    call("/v2.0/employee", "", person.formatted("\u674e\u6885"), Charset.forName("GB18030"));
  }
}
