/** A signed call as a program makes it. */
export interface SampleCall {
  readonly api: 'attendance' | 'services';
  /** Address of this gateway. */
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** With its question mark; empty: none. */
  readonly query: string;
  /** Beside those of the signature. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty: none. */
  readonly body: string;
}

type Sample = (call: SampleCall) => string;

/** Programs of the standard library alone; each has one source of its signature, for both APIs. */
export const samples = {
  curl: curlSample,
  Python: pythonSample,
  Java: javaSample,
  Go: goSample,
} as const satisfies Readonly<Record<string, Sample>>;

export type SampleLanguage = keyof typeof samples;

const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join('\n')}\n`;
const text = (value: string): string => JSON.stringify(value);
const environment = { attendance: 'APP_KEY=… APP_SECRET=…', services: 'APP_ID=… APP_KEY=…' } as const;

function curlSample({ api, origin, method, path, query, headers, body }: SampleCall): string {
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  const [signed, signature] =
    api === 'attendance'
      ? [
          '"$path$timestamp$APP_KEY$APP_SECRET"',
          ['"App-Key: $APP_KEY"', '"App-Timestamp: $timestamp"', '"App-Sig: $sig"'],
        ]
      : [
          '"app_id=$APP_ID&app_key=$APP_KEY&nonce=$nonce&timestamp=$timestamp"',
          ['"app_id: $APP_ID"', '"timestamp: $timestamp"', '"nonce: $nonce"', '"sig: $sig"'],
        ];
  const options = [
    ...[...signature, ...headers.map(([name, value]) => quoted(`${name}: ${value}`))].map(header => `  -H ${header}`),
    ...(body === '' ? [] : [`  --data-binary ${quoted(body)}`]),
  ];
  return lines(
    `# ${environment[api]} sh sample.sh`,
    `path=${quoted(path)}`,
    'timestamp=$(date +%s)000',
    api === 'services' ? ["nonce=$(od -An -N3 -tx1 /dev/urandom | tr -d ' \\n')"] : [],
    `sig=$(printf %s ${signed} | md5sum | cut -d ' ' -f 1)`,
    [
      `curl -sSN --cacert trust.pem -X ${method} ${quoted(origin)}"$path"${query === '' ? '' : quoted(query)}`,
      ...options,
    ].join(' \\\n'),
  );
}

function pythonSample({ api, origin, method, path, query, headers, body }: SampleCall): string {
  const [signed, signature] =
    api === 'attendance'
      ? [
          ['signed = path + timestamp + os.environ["APP_KEY"] + os.environ["APP_SECRET"]'],
          [
            ['App-Key', 'os.environ["APP_KEY"]'],
            ['App-Timestamp', 'timestamp'],
            ['App-Sig', 'sig'],
          ],
        ]
      : [
          [
            'nonce = secrets.token_hex(3)',
            'app_id, app_key = os.environ["APP_ID"], os.environ["APP_KEY"]',
            'signed = f"app_id={app_id}&app_key={app_key}&nonce={nonce}&timestamp={timestamp}"',
          ],
          [
            ['app_id', 'app_id'],
            ['timestamp', 'timestamp'],
            ['nonce', 'nonce'],
            ['sig', 'sig'],
          ],
        ];
  return lines(
    `# ${environment[api]} python3 sample.py`,
    `import hashlib, os, ${api === 'services' ? 'secrets, ' : ''}ssl, time, urllib.error, urllib.request`,
    '',
    `url, path, query = ${text(origin)}, ${text(path)}, ${text(query)}`,
    `body = ${body === '' ? 'None' : `${text(body)}.encode()`}`,
    '',
    'timestamp = str(int(time.time() * 1000))',
    signed,
    'sig = hashlib.md5(signed.encode()).hexdigest()',
    'headers = {',
    signature.map(([name, value]) => `    ${text(name!)}: ${value},`),
    headers.map(([name, value]) => `    ${text(name)}: ${text(value)},`),
    '}',
    `request = urllib.request.Request(url + path + query, body, headers, method="${method}")`,
    'trust = ssl.create_default_context(cafile="trust.pem")',
    'try:',
    '    answer = urllib.request.urlopen(request, context=trust, timeout=30)',
    'except urllib.error.HTTPError as rejected:',
    '    answer = rejected',
    'for line in answer:',
    '    print(line.decode(), end="", flush=True)',
  );
}

function javaSample({ api, origin, method, path, query, headers, body }: SampleCall): string {
  const [signed, signature] =
    api === 'attendance'
      ? [
          ['String signed = path + timestamp + System.getenv("APP_KEY") + System.getenv("APP_SECRET");'],
          [
            ['App-Key', 'System.getenv("APP_KEY")'],
            ['App-Timestamp', 'timestamp'],
            ['App-Sig', 'sig'],
          ],
        ]
      : [
          [
            'String nonce = "%06x".formatted(new SecureRandom().nextInt(1 << 24));',
            'String appId = System.getenv("APP_ID"), appKey = System.getenv("APP_KEY");',
            'String signed = "app_id=" + appId + "&app_key=" + appKey + "&nonce=" + nonce + "&timestamp=" + timestamp;',
          ],
          [
            ['app_id', 'appId'],
            ['timestamp', 'timestamp'],
            ['nonce', 'nonce'],
            ['sig', 'sig'],
          ],
        ];
  const publisher = body === '' ? 'noBody()' : 'ofString(body)';
  return lines(
    `// ${environment[api]} java Sample.java`,
    'import java.io.FileInputStream;',
    'import java.net.URI;',
    'import java.net.http.*;',
    'import java.nio.charset.StandardCharsets;',
    'import java.security.*;',
    'import java.security.cert.CertificateFactory;',
    'import java.time.Duration;',
    'import java.util.HexFormat;',
    'import javax.net.ssl.*;',
    '',
    'public class Sample {',
    '  public static void main(String[] words) throws Exception {',
    `    String url = ${text(origin)}, path = ${text(path)}, query = ${text(query)};`,
    body === '' ? [] : [`    String body = ${text(body)};`],
    '',
    '    String timestamp = String.valueOf(System.currentTimeMillis());',
    signed.map(line => `    ${line}`),
    '    byte[] digest = MessageDigest.getInstance("MD5").digest(signed.getBytes(StandardCharsets.UTF_8));',
    '    String sig = HexFormat.of().formatHex(digest);',
    '    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path + query))',
    '        .timeout(Duration.ofSeconds(30))',
    signature.map(([name, value]) => `        .header(${text(name!)}, ${value})`),
    headers.map(([name, value]) => `        .header(${text(name)}, ${text(value)})`),
    `        .method("${method}", HttpRequest.BodyPublishers.${publisher})`,
    '        .build();',
    '    HttpClient client = HttpClient.newBuilder().sslContext(trust("trust.pem")).build();',
    '    client.send(request, HttpResponse.BodyHandlers.ofLines()).body().forEach(System.out::println);',
    '  }',
    '',
    '  static SSLContext trust(String file) throws Exception {',
    '    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());',
    '    store.load(null, null);',
    '    try (var pem = new FileInputStream(file)) {',
    '      int number = 0;',
    '      for (var one : CertificateFactory.getInstance("X.509").generateCertificates(pem))',
    '        store.setCertificateEntry("gateway" + number++, one);',
    '    }',
    '    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());',
    '    factory.init(store);',
    '    var context = SSLContext.getInstance("TLS");',
    '    context.init(null, factory.getTrustManagers(), null);',
    '    return context;',
    '  }',
    '}',
  );
}

function goSample({ api, origin, method, path, query, headers, body }: SampleCall): string {
  const [signed, signature] =
    api === 'attendance'
      ? [
          ['signed := path + timestamp + os.Getenv("APP_KEY") + os.Getenv("APP_SECRET")'],
          [
            ['App-Key', 'os.Getenv("APP_KEY")'],
            ['App-Timestamp', 'timestamp'],
            ['App-Sig', 'sig'],
          ],
        ]
      : [
          [
            'random := make([]byte, 3)',
            'rand.Read(random)',
            'nonce := fmt.Sprintf("%x", random)',
            'appID, appKey := os.Getenv("APP_ID"), os.Getenv("APP_KEY")',
            'signed := "app_id=" + appID + "&app_key=" + appKey + "&nonce=" + nonce + "&timestamp=" + timestamp',
          ],
          [
            ['app_id', 'appID'],
            ['timestamp', 'timestamp'],
            ['nonce', 'nonce'],
            ['sig', 'sig'],
          ],
        ];
  return lines(
    `// ${environment[api]} go run sample.go`,
    'package main',
    '',
    'import (',
    '\t"crypto/md5"',
    api === 'services' ? ['\t"crypto/rand"'] : [],
    '\t"crypto/tls"',
    '\t"crypto/x509"',
    '\t"fmt"',
    '\t"io"',
    '\t"log"',
    '\t"net/http"',
    '\t"os"',
    '\t"strconv"',
    '\t"strings"',
    '\t"time"',
    ')',
    '',
    'func must[T any](value T, err error) T {',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\treturn value',
    '}',
    '',
    'func main() {',
    `\turl, path, query := ${text(origin)}, ${text(path)}, ${text(query)}`,
    `\tbody := strings.NewReader(${text(body)})`,
    '',
    '\ttimestamp := strconv.FormatInt(time.Now().UnixMilli(), 10)',
    signed.map(line => `\t${line}`),
    '\tsig := fmt.Sprintf("%x", md5.Sum([]byte(signed)))',
    `\trequest := must(http.NewRequest("${method}", url+path+query, body))`,
    signature.map(([name, value]) => `\trequest.Header.Set(${text(name!)}, ${value})`),
    headers.map(([name, value]) => `\trequest.Header.Set(${text(name)}, ${text(value)})`),
    '\ttrust := x509.NewCertPool()',
    '\ttrust.AppendCertsFromPEM(must(os.ReadFile("trust.pem")))',
    '\ttransport := &http.Transport{',
    '\t\tTLSClientConfig:       &tls.Config{RootCAs: trust},',
    '\t\tResponseHeaderTimeout: 30 * time.Second,',
    '\t}',
    '\tanswer := must((&http.Client{Transport: transport}).Do(request))',
    '\tdefer answer.Body.Close()',
    '\tmust(io.Copy(os.Stdout, answer.Body))',
    '}',
  );
}
