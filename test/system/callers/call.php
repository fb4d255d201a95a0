<?php
function call(string $path, string $body, array $headers = []): void {
  $time = (string) (int) (microtime(true) * 1000);
  $headers[] = 'Content-Type: application/json; charset=UTF-8';
  $headers[] = 'App-Key: ak1';
  $headers[] = 'App-Timestamp: ' . $time;
  $headers[] = 'App-Sig: ' . md5($path . $time . 'ak1' . 'as1');
  $http = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
  $context = stream_context_create(['http' => $http, 'ssl' => ['cafile' => getenv('CA')]]);
  echo file_get_contents(getenv('URL') . $path, false, $context), "\n";
}
function run(string $command, string $body, array $headers = []): void {
  call('/v2.0/cloudappapi', $body, [...$headers, 'Api-Module: CHECKIN', "Api-Cmd: $command"]);
}
$person = ['employee_ext_id' => 'e3', 'name' => '李梅', 'department_infos' => []];
run('checkin_query_init', json_encode([]));
run('checkin_query_init', '');
// A form has turned the plus sign into a blank.
$value = urldecode(base64_encode(hex2bin(getenv('FEATURE'))));
$user = ['ext_id' => 'e1', 'feature_type' => 'fa', 'feature_alg' => 'base64', 'feature_value' => [$value]];
run('feature_update', json_encode(['users' => [$user]]));
call('/v2.0/employee', iconv('UTF-8', 'GBK', json_encode($person, JSON_UNESCAPED_UNICODE)));
run('checkin_query_init', gzencode('{}'), ['Content-Encoding: gzip']);
