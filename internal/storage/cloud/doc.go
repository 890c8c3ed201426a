// Package cloud has the drivers for buckets: Amazon S3 and compatible servers, Google Cloud Storage, and Azure. It is
// never part of a program built without the tag "cloud".
package cloud
