namespace Cluster.Nodes.Beacons;

/// <summary>The limits of the exchange of beacons. Stateless.</summary>
internal static class BeaconLimits
{
    /// <summary>The largest frame. The acknowledgement of a node that promises nothing for any of 16,384 partitions has
    /// 48 KiB.</summary>
    public const int MaxFrameBytes = 64 << 10;

    /// <summary>How long a connection may take from the greeting to the last proof.</summary>
    public static readonly TimeSpan HelloTimeout = TimeSpan.FromSeconds(1);

    /// <summary>How long it may take to connect, before TLS and hello.</summary>
    public static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(1);

    /// <summary>How long the answer to a beacon may take. It is shorter than a lease, so that a new connection can
    /// still save the lease.</summary>
    public static readonly TimeSpan ExchangeTimeout = TimeSpan.FromSeconds(2);

    /// <summary>After this time without a beacon, both sides close the connection. Members send two a second.</summary>
    public static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(10);

    /// <summary>When a connection is replaced by a new one, whose certificates and secrets are those of that
    /// day.</summary>
    public static readonly TimeSpan MaxAge = TimeSpan.FromMinutes(10);

    /// <summary>When the side that listens closes a connection that the other side has not replaced.</summary>
    public static readonly TimeSpan MaxAcceptedAge = 2 * MaxAge;

    /// <summary>The pause after the first attempt that failed.</summary>
    public static readonly TimeSpan MinPause = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest pause between two attempts.</summary>
    public static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(1);
}
