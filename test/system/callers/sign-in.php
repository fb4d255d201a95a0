<?php
function ask(string $path, array $query = [], array $headers = []): array {
  $http = ['method' => 'GET', 'header' => $headers, 'ignore_errors' => true];
  $context = stream_context_create(['http' => $http, 'ssl' => ['cafile' => getenv('CA')]]);
  $address = getenv('URL') . $path . ($query ? '?' . http_build_query($query) : '');
  $answer = json_decode(file_get_contents($address, false, $context), true);
  echo json_encode($answer), "\n";
  return $answer;
}
$client = ['client_id' => 'portal', 'client_secret' => 's3cret of the portal'];
$tokens = ask('/oauth/token', [...$client, 'grant_type' => 'authorization_code', 'code' => getenv('CODE')]);
ask('/api/getUserInfo', [], ['Authorization: Bearer ' . $tokens['access_token']]);
$later = ask('/oauth/token', [...$client, 'grant_type' => 'refresh_token', 'refresh_token' => $tokens['refresh_token']]);
ask('/api/getUserInfo', [], ['Authorization: Bearer ' . $later['access_token']]);
