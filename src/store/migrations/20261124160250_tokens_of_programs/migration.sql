ALTER TABLE `admin_token` ADD `topics` text;--> statement-breakpoint
ALTER TABLE `admin_token` ADD `actions` text;