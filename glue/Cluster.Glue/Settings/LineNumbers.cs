using System.Security.Cryptography;

namespace Cluster.Glue.Settings;

/// <summary>Creates the queue numbers of one client's proxies. Over links they count from 1, so that they take few
/// bytes. For unary requests they begin at a random number, because such a server sees the numbers of all clients
/// together. Atomic.</summary>
internal sealed class LineNumbers(GlueTransport transport)
{
    private ulong _last = transport == GlueTransport.Unary
        ? BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)))
        : 0;

    public ulong Next() => Interlocked.Increment(ref _last) is var next and not 0 ? next : Next();
}
