import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { anAccountBox, Browser, canteen, mei } from '../../support/accounts.ts';

/** A client library that nobody here wrote: it checks every answer by the RFCs. */

test('oauth4webapi finds the endpoints, gets a code with state and PKCE, tokens, who it is, and new tokens', async () => {
  await using box = await anAccountBox();
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(box.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const client: oauth.Client = { client_id: canteen.client_id };
  const redirectUri = canteen.redirect_uris[0]!;

  for (const authentication of [oauth.ClientSecretPost, oauth.ClientSecretBasic]) {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: canteen.client_id,
      redirect_uri: redirectUri,
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const answer = await new Browser(box.url).allow(`/oauth/authorize?${query}`);
    const parameters = oauth.validateAuthResponse(server, client, answer, state);
    const secret = authentication(canteen.client_secret);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, redirectUri, verifier, insecure),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read' });

    const userInfo = async (token: string) =>
      (
        await oauth.protectedResourceRequest(
          token,
          'GET',
          new URL(server.userinfo_endpoint!),
          undefined,
          null,
          insecure,
        )
      ).json();
    const who = await userInfo(tokens.access_token);
    expect(who).toEqual({ openid: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'mei', headimgurl: mei.headimgurl });

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, secret, tokens.refresh_token!, insecure),
    );
    expect(refreshed).toMatchObject({ expires_in: 2_592_000, refresh_token: tokens.refresh_token });
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    expect(await userInfo(refreshed.access_token)).toEqual(who);
  }
});
