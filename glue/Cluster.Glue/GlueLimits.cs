namespace Cluster.Glue;

/// <summary>The defaults and the fixed limits of Glue. Constants only.</summary>
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

    /// <summary>The most connections whose peer has not completed the handshake; further ones are told to
    /// retry.</summary>
    public const int MaxUnauthenticatedConnections = 64;

    /// <summary>The same limit for one address, so that no single machine keeps all others out.</summary>
    public const int MaxHandshakesPerAddress = 32;

    /// <summary>The same limit for the streams of one connection. Glue's clients open one.</summary>
    public const int MaxHandshakesPerConnection = 8;

    /// <summary>The most connections of one listener.</summary>
    public const int MaxConnections = 16_384;

    /// <summary>The most bytes of unary requests that one connection may be sending.</summary>
    public const long MaxReceivingBytesPerConnection = 128L * 1024 * 1024;

    /// <summary>The most bytes of unary requests that all connections may be sending.</summary>
    public const long MaxReceivingBytes = 512L * 1024 * 1024;

    public const long ReceivingBytesHighest = 1024L * 1024 * 1024 * 1024;

    /// <summary>The most unary one-way calls that have not ended.</summary>
    public const int MaxQueuedOneWayCalls = 65_536;

    /// <summary>The largest buffer for a peer that has not completed the handshake.</summary>
    public const int HandshakeBytesMax = 64 * 1024;

    /// <summary>The most methods that one peer may bind over one link: limits the handle table.</summary>
    public const int MethodHandlesMax = 65_536;

    /// <summary>The most closed forms of generic methods that one process serves: they are never unloaded.</summary>
    public const int GenericFormsMax = 1024;

    /// <summary>The most instances of one stateful service.</summary>
    public const int MaxInstances = 100_000;

    /// <summary>The most bytes of headers in one envelope.</summary>
    public const int HeaderBytesMax = 64 * 1024;

    /// <summary>The most addresses on which one call is tried.</summary>
    public const int AttemptsMax = 3;

    /// <summary>The most causes of an exception that are sent to the caller; deeper ones are cut.</summary>
    public const int ExceptionChainMax = 16;

    /// <summary>The most entries of one exception's Data that are sent to a caller who cannot rebuild its
    /// type.</summary>
    public const int ExceptionDataMax = 32;

    /// <summary>The most characters of one exception message or stack that are sent to the caller.</summary>
    public const int ExceptionTextMax = 16 * 1024;

    public const int StreamWindowItems = 1024;
    public const int StreamWindowItemsHighest = 1024 * 1024;
    public const int StreamWindowBytes = 256 * 1024;
    public const int StreamWindowBytesLowest = 16 * 1024;
    public const int StreamWindowBytesHighest = 256 * 1024 * 1024;
    public const int MaxReferences = 65_536;
    public const int ReferencesHighest = 16 * 1024 * 1024;

    /// <summary>How long a reader that leaves a stream early waits for the end of the producer, to get its
    /// failure.</summary>
    public static readonly TimeSpan StreamStopTimeout = TimeSpan.FromSeconds(1);

    /// <summary>If a message to the owner has named a reference, the reference is not given back for this time after it
    /// became garbage, because the message may still be under way.</summary>
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

    /// <summary>The most replaced links to one server that are still in use; beyond that, the oldest leaves although
    /// objects are referred to over it.</summary>
    public const int FormerLinksMax = 8;

    /// <summary>How long a link without calls stays open; the next call opens another link.</summary>
    public static readonly TimeSpan LinkIdleMax = TimeSpan.FromMinutes(5);

    /// <summary>How long the side that ends a link waits for a peer that receives nothing any more.</summary>
    public static readonly TimeSpan LingerTime = TimeSpan.FromSeconds(1);

    /// <summary>The longest wait for a peer that still receives. After that, most deadlines have passed
    /// anyway.</summary>
    public static readonly TimeSpan MaxLingerTime = DefaultDeadline;

    /// <summary>If a call keeps the thread that reads its connection longer than this, its method runs on the pool from
    /// then on.</summary>
    public static readonly TimeSpan InlineTimeMax = TimeSpan.FromMilliseconds(1);

    /// <summary>How often a busy link searches for calls whose deadline has passed: deadlines are late by at most this
    /// time.</summary>
    public static readonly TimeSpan TickInterval = TimeSpan.FromMilliseconds(20);
}
