using System.Security.Cryptography;

namespace Cluster.Glue.Settings;

/// <summary>Creates the queue numbers of one client's proxies. Over links they are few and small; unary servers tell
/// clients apart by numbers that no other client has. Atomic.</summary>
internal sealed class LineNumbers(GlueTransport transport)
{
    private ulong _last = transport == GlueTransport.Unary
        ? BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)))
        : 0;

    public ulong Next() => Interlocked.Increment(ref _last) is var next and not 0 ? next : Next();
}
