# `-d` says that the body is a form, and takes line ends and NULs out of a file.
call() {
  path=$1; shift
  now=$(date +%s%3N)
  sig=$(printf %s "$path${now}ak1as1" | md5sum | cut -c 1-32)
  curl -sS --cacert "$CA" -H 'App-Key: ak1' -H "App-Timestamp: $now" -H "App-Sig: $sig" -H 'Api-Module: CHECKIN' "$@" "$URL$path"
  echo
}
printf '{"next_id":\n0}\0' > body.json
printf '{"employee_ext_id":"e3","name":"\305\323","department_infos":[]}' > gbk.json
call /v2.0/cloudappapi -H 'Api-Cmd: checkin_query_init' -X POST
call /v2.0/cloudappapi -H 'Api-Cmd: checkin_query_init' -d '[]'
call /v2.0/cloudappapi -H 'Api-Cmd: checkin_query' -d @body.json
call /v2.0/employee -d @gbk.json
call /v2.0/employee --data-binary @gbk.json -H 'Expect: 100-continue'
