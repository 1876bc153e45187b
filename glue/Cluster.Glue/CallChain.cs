using System.Security.Cryptography;

namespace Cluster.Glue;

/// <summary>The calls that wait for each other: a call made while another call is served belongs to the chain of that
/// call, across processes. Immutable.</summary>
internal sealed class CallChain(ulong link, ulong id)
{
    private static long _last = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    /// <summary>The number of the link over which the served call came; 0: the link does not matter.</summary>
    public ulong Link => link;

    public ulong Id => id;

    /// <summary>Begins a chain. Its id begins at a random number, so that two processes do not use the same
    /// ids.</summary>
    public static CallChain New()
    {
        var id = (ulong)Interlocked.Increment(ref _last);
        return new CallChain(0, id == 0 ? 1 : id);
    }
}
