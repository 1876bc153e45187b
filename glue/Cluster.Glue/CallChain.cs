using System.Security.Cryptography;

namespace Cluster.Glue;

/// <summary>Ties calls together that wait for each other: a call made while another one is served belongs to its chain,
/// across processes. Immutable.</summary>
internal sealed class CallChain(ulong link, ulong id)
{
    private static long _last = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    /// <summary>The number of the link over which the served call came; 0 where that does not matter.</summary>
    public ulong Link => link;

    public ulong Id => id;

    /// <summary>A chain that begins here; its id begins at random: processes do not name theirs alike.</summary>
    public static CallChain New()
    {
        var id = (ulong)Interlocked.Increment(ref _last);
        return new CallChain(0, id == 0 ? 1 : id);
    }
}
