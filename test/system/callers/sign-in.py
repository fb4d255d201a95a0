import json, os, ssl, urllib.error, urllib.parse, urllib.request

context = ssl.create_default_context(cafile=os.environ["CA"])
client = {"client_id": "portal", "client_secret": "s3cret of the portal"}

def ask(method, path, query={}, **headers):
    address = os.environ["URL"] + path + ("?" + urllib.parse.urlencode(query) if query else "")
    try:
        answer = urllib.request.urlopen(urllib.request.Request(address, None, headers, method=method), context=context)
    except urllib.error.HTTPError as error:
        answer = error
    return json.loads(answer.read())

def user(tokens):
    return ask("GET", "/api/getUserInfo", Authorization="Bearer " + tokens["access_token"])

# As SPEC 4.6 prints it: all in the query, and no redirect_uri.
tokens = ask("POST", "/oauth/token", {**client, "grant_type": "authorization_code", "code": os.environ["CODE"]})
print(json.dumps(tokens))
print(json.dumps(user(tokens)))
later = ask("POST", "/oauth/token", {**client, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]})
print(json.dumps(later))
print(json.dumps(user(later)))
