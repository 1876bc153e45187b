using System.Security.Cryptography;
using Cluster.Glue.Sessions;

namespace Cluster.Glue;

/// <summary>
/// Ties calls together that wait for each other: a call made while another one is served belongs to its chain, across
/// processes. Immutable.
/// </summary>
internal sealed class CallChain(Link? link, ulong id)
{
    private static long _last = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    /// <summary>The link over which the served call came; null where that does not matter.</summary>
    public Link? Link => link;

    public ulong Id => id;

    /// <summary>A chain that begins here; its id begins at random: processes do not name theirs alike.</summary>
    public static CallChain New()
    {
        var id = (ulong)Interlocked.Increment(ref _last);
        return new CallChain(null, id == 0 ? 1 : id);
    }
}
