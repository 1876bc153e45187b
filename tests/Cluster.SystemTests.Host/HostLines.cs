namespace Cluster.SystemTests.Host;

/// <summary>The words that begin the lines between a test and its node process. Stateless.</summary>
public static class HostLines
{
    /// <summary>Moves the wall clock of the process; a number of seconds follows. The process repeats the
    /// line.</summary>
    public const string Shift = "shift";

    /// <summary>Asks for the digests of all replicas; a number follows, which the answer repeats.</summary>
    public const string Digests = "digests";

    /// <summary>Asks how the node has got its copies; a number follows, which the answer repeats.</summary>
    public const string Copies = "copies";

    /// <summary>A process that was started with <c>--held</c> is ready to join the cluster, and waits for
    /// <see cref="Join"/>.</summary>
    public const string Held = "held";

    /// <summary>Lets a held process join the cluster.</summary>
    public const string Join = "join";

    /// <summary>The process tells its incarnation.</summary>
    public const string Self = "self";
}
