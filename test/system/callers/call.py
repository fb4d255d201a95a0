import base64, gzip, hashlib, json, os, ssl, time, urllib.error, urllib.request

def call(path, body, command="", **headers):
    now = str(int(time.time() * 1000))
    sig = hashlib.md5((path + now + "ak1" + "as1").encode()).hexdigest()
    request = urllib.request.Request(os.environ["URL"] + path, body, {
        "Content-Type": "application/json", "App-Key": "ak1", "App-Timestamp": now, "App-Sig": sig,
        "Api-Module": "CHECKIN", "Api-Cmd": command, **headers,
    })
    context = ssl.create_default_context(cafile=os.environ["CA"])
    try:
        answer = urllib.request.urlopen(request, context=context)
    except urllib.error.HTTPError as error:
        answer = error
    print(answer.read().decode())

run = "/v2.0/cloudappapi"
call(run, json.dumps(None).encode(), "checkin_query_init")
value = base64.urlsafe_b64encode(bytes.fromhex(os.environ["FEATURE"])).decode()
user = {"ext_id": "e1", "feature_type": "fa", "feature_alg": "base64", "feature_value": [value]}
call(run, json.dumps({"users": [user]}).encode(), "feature_update")
# A file that was saved "with a mark", and one that an office has saved.
call(run, json.dumps({}).encode("utf-8-sig"), "checkin_query_init")
person = json.dumps({"employee_ext_id": "e3", "name": "陈伟", "department_infos": []}, ensure_ascii=False)
call("/v2.0/employee", person.encode("gb18030"))
call("/v2.0/employee", person.encode("utf-16"))
# NaN is what Python writes for a number that is none.
call(run, json.dumps({"next_id": float("nan")}).encode(), "checkin_query")
call(run, gzip.compress(b"{}"), "checkin_query_init", **{"Content-Encoding": "gzip"})
