CREATE TABLE `cloud_person` (
	`openid` text PRIMARY KEY,
	`user_name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_session` (
	`id_hash` text PRIMARY KEY,
	`user_name` text NOT NULL,
	`credential` text NOT NULL,
	`opened_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_code` (
	`code_hash` text PRIMARY KEY,
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`scope` text NOT NULL,
	`challenge` text,
	`issued_at` integer NOT NULL,
	`grant_id` integer
);
--> statement-breakpoint
CREATE TABLE `oauth_consent` (
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`scope` text NOT NULL,
	`given_at` integer NOT NULL,
	CONSTRAINT `oauth_consent_pk` PRIMARY KEY(`client_id`, `user_name`)
);
--> statement-breakpoint
CREATE TABLE `oauth_grant` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`scope` text NOT NULL,
	`refresh_hash` text NOT NULL UNIQUE,
	`made_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_token` (
	`token_hash` text PRIMARY KEY,
	`grant_id` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `file` (
	`file_id` text PRIMARY KEY,
	`app_id` text NOT NULL,
	`client` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`is_public` integer NOT NULL,
	`over_https` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`due_at` integer,
	`cloud_file_id` text,
	`waits` integer NOT NULL,
	`refusal` text
);
--> statement-breakpoint
CREATE TABLE `message` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`msg_id` text NOT NULL UNIQUE,
	`kind` text NOT NULL,
	`app_id` text NOT NULL,
	`accepted_at` integer NOT NULL,
	`title` text NOT NULL,
	`sealed_content` blob NOT NULL,
	`android_send` integer NOT NULL,
	`ios_send` integer NOT NULL,
	`result` integer NOT NULL,
	`relay` text NOT NULL,
	`attempted_at` integer,
	`cloud_msg_id` text,
	`cloud_android_send` integer NOT NULL,
	`cloud_ios_send` integer NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `remembered` (
	`service` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `remembered_pk` PRIMARY KEY(`service`, `key`)
);
--> statement-breakpoint
CREATE TABLE `signed_answer` (
	`app_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`nonce` text NOT NULL,
	`body_hash` text NOT NULL,
	`answer` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `signed_answer_pk` PRIMARY KEY(`app_id`, `timestamp`, `nonce`)
);
--> statement-breakpoint
CREATE INDEX `login_session_by_user` ON `login_session` (`user_name`);--> statement-breakpoint
CREATE INDEX `oauth_grant_by_user` ON `oauth_grant` (`user_name`);--> statement-breakpoint
CREATE INDEX `oauth_token_by_grant` ON `oauth_token` (`grant_id`);--> statement-breakpoint
CREATE INDEX `file_by_due` ON `file` (`due_at`);--> statement-breakpoint
CREATE INDEX `file_waiting` ON `file` (`waits`,`stored_at`);--> statement-breakpoint
CREATE INDEX `message_by_relay` ON `message` (`relay`,`id`);--> statement-breakpoint
CREATE INDEX `signed_answer_by_at` ON `signed_answer` (`at`);