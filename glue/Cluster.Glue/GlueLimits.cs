namespace Cluster.Glue;

/// <summary>The defaults and the fixed bounds of Glue in one place, so that each has one name. Constants
/// only.</summary>
internal static class GlueLimits
{
    public const int MaxMessageBytes = 64 * 1024 * 1024;
    public const int MessageBytesLowest = 4 * 1024;
    public const int MessageBytesHighest = 1024 * 1024 * 1024;
    public const int WindowBytes = 1024 * 1024;
    public const int WindowBytesLowest = 64 * 1024;
    public const int WindowBytesHighest = 16 * 1024 * 1024;
    public const int MaxCallsInFlight = 8192;
    public const int CallsInFlightHighest = 65_536;
    public const long MaxSendQueueBytes = 64L * 1024 * 1024;
    public const long SendQueueBytesLowest = 64 * 1024;
    public const long SendQueueBytesHighest = 4L * 1024 * 1024 * 1024;

    /// <summary>Connections whose peer has not shaken hands yet; further ones are told to come again.</summary>
    public const int MaxUnauthenticatedConnections = 64;

    /// <summary>Of one address, so that no single machine keeps all others out.</summary>
    public const int MaxHandshakesPerAddress = 32;

    /// <summary>Streams of one connection: Glue's clients have one.</summary>
    public const int MaxHandshakesPerConnection = 8;

    /// <summary>Connections of one listener.</summary>
    public const int MaxConnections = 16_384;

    /// <summary>Bytes of requests of their own that one connection may be sending.</summary>
    public const long MaxReceivingBytesPerConnection = 128L * 1024 * 1024;

    /// <summary>The same of all connections.</summary>
    public const long MaxReceivingBytes = 512L * 1024 * 1024;

    public const long ReceivingBytesHighest = 1024L * 1024 * 1024 * 1024;

    /// <summary>One-way calls in requests of their own that have not ended.</summary>
    public const int MaxQueuedOneWayCalls = 65_536;

    /// <summary>A peer that has not shaken hands costs at most this much buffer.</summary>
    public const int HandshakeBytesMax = 64 * 1024;

    /// <summary>Methods that one peer may bind over one link: bounds the handle table.</summary>
    public const int MethodHandlesMax = 65_536;

    /// <summary>Closed forms of generic methods that one process serves: they are never unloaded.</summary>
    public const int GenericFormsMax = 1024;

    /// <summary>Instances of one stateful service.</summary>
    public const int MaxInstances = 100_000;

    /// <summary>Bytes of headers in one envelope.</summary>
    public const int HeaderBytesMax = 64 * 1024;

    /// <summary>Addresses on which one call is tried at most.</summary>
    public const int AttemptsMax = 3;

    /// <summary>Causes of an exception that are told to the caller; deeper ones are cut.</summary>
    public const int ExceptionChainMax = 16;

    /// <summary>Entries of one exception's Data that are told to a caller who cannot rebuild its type.</summary>
    public const int ExceptionDataMax = 32;

    /// <summary>Characters of one exception message or stack that are told to the caller.</summary>
    public const int ExceptionTextMax = 16 * 1024;

    public const int StreamWindowItems = 1024;
    public const int StreamWindowItemsHighest = 1024 * 1024;
    public const int StreamWindowBytes = 256 * 1024;
    public const int StreamWindowBytesLowest = 16 * 1024;
    public const int StreamWindowBytesHighest = 256 * 1024 * 1024;
    public const int MaxReferences = 65_536;
    public const int ReferencesHighest = 16 * 1024 * 1024;

    /// <summary>How long a reader that leaves a stream early waits for the producer to end, to be told of its
    /// failure.</summary>
    public static readonly TimeSpan StreamStopTimeout = TimeSpan.FromSeconds(1);

    /// <summary>How long garbage is not given back that a message has named to its owner: the message may still be
    /// under way.</summary>
    public static readonly TimeSpan ReferenceReturnTime = TimeSpan.FromMinutes(1);

    public static readonly TimeSpan DefaultDeadline = TimeSpan.FromSeconds(10);
    public static readonly TimeSpan DeadlineHighest = TimeSpan.FromDays(1);
    public static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);
    public static readonly TimeSpan HeartbeatInterval = TimeSpan.FromSeconds(5);
    public static readonly TimeSpan RequestReceiveTimeout = TimeSpan.FromSeconds(30);
    public static readonly TimeSpan MaxQueueDelay = TimeSpan.FromSeconds(5);
    public static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(5);

    public static readonly TimeSpan InstanceIdleTimeout = TimeSpan.FromMinutes(20);
    public static readonly TimeSpan InstanceIdleTimeoutHighest = TimeSpan.FromDays(30);
    public static readonly TimeSpan InstanceLockTimeout = TimeSpan.FromSeconds(10);

    public static readonly TimeSpan ResumeWindow = TimeSpan.FromSeconds(5);
    public static readonly TimeSpan MaxLinkAge = TimeSpan.FromHours(1);
    public static readonly TimeSpan LinkAgeLowest = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan LinkAgeHighest = TimeSpan.FromDays(30);

    /// <summary>Links to one server that were replaced and still carry something; the oldest one of more leaves
    /// although objects are referred to over it.</summary>
    public const int FormerLinksMax = 8;

    /// <summary>How long a link stays open that nobody calls over; the next call opens another.</summary>
    public static readonly TimeSpan LinkIdleMax = TimeSpan.FromMinutes(5);

    /// <summary>How long the side that ends a link waits for its peer when the peer takes nothing any more.</summary>
    public static readonly TimeSpan LingerTime = TimeSpan.FromSeconds(1);

    /// <summary>How long that may last in all: what waits longer is late for most deadlines, too.</summary>
    public static readonly TimeSpan MaxLingerTime = DefaultDeadline;

    /// <summary>How long a call may keep the thread that reads its connection, before its method runs on the pool for
    /// good.</summary>
    public static readonly TimeSpan InlineTimeMax = TimeSpan.FromMilliseconds(1);

    /// <summary>How often a busy link looks for calls whose deadline has passed: deadlines are late by at most
    /// this.</summary>
    public static readonly TimeSpan TickInterval = TimeSpan.FromMilliseconds(20);
}
