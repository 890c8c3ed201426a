// Objective-C: "quotes", it's fine
#import <Foundation/Foundation.h>
#import "Loader.h"

/* block with "quotes"
 * // and more
 */
@class Cache;

NS_ASSUME_NONNULL_BEGIN

@protocol LoaderDelegate <NSObject>
@optional
- (void)loader:(id)loader didFailWithError:(NSError *)error;
@end

@interface Loader : NSObject <NSCopying>
@property (nonatomic, copy, readonly) NSString *name;
@property (nonatomic, weak) id<LoaderDelegate> delegate;
@property (nonatomic, assign) NSInteger limit;
- (instancetype)initWithName:(NSString *)name;
+ (BOOL)isValid:(NSString *)path;
@end

static const int kLimit = 0x40;
static NSString *const kDomain = @"com.example.loader // not a comment";

@implementation Loader {
    NSMutableDictionary *_entries;
    dispatch_queue_t _queue;
}

- (instancetype)initWithName:(NSString *)name {
    self = [super init];
    if (self != nil) {
        _name = [name copy];
        _limit = kLimit;
        _entries = [NSMutableDictionary dictionary];
    }
    return self;
}

+ (BOOL)isValid:(NSString *)path {
    return path.length > 0 && ![path hasPrefix:@"/* no */"];
}

// Loads what is "needed"; it's called on any queue.
- (NSData *)loadPath:(NSString *)path error:(NSError **)error {
    @synchronized (self) {
        NSData *data = _entries[path];
        if (data) {
            return data;
        }
    }
    for (int i = 0; i < 3; i++) {
        NSData *data = [NSData dataWithContentsOfFile:path];
        if (data != nil) {
            NSLog(@"loaded %@ in %d tries: \"%@\"", path, i + 1, self.name);
            _entries[path] = data;
            return data;
        }
        char quote = '\'', end = '\0';
        printf("%c%c\n", quote, end);
    }
    @try {
        [self.delegate loader:self didFailWithError:*error];
    } @catch (NSException *exception) {
        @throw;
    } @finally {
        dispatch_async(_queue, ^{ self.limit -= 1; });
    }
    return nil;
}

@end
NS_ASSUME_NONNULL_END
