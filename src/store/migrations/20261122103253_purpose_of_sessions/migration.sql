CREATE TABLE `oauth_used_refresh` (
	`refresh_hash` text PRIMARY KEY,
	`grant_id` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `local_user` ADD `has_role` integer;--> statement-breakpoint
ALTER TABLE `oauth_client` ADD `public` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `login_session` ADD `purpose` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `oauth_used_refresh_by_grant` ON `oauth_used_refresh` (`grant_id`,`used_at`);