using System.Security.Cryptography;

namespace Cluster.Pile;

/// <summary>The open piles of the process by their identity. It refers to them weakly, so that a pile that is dropped
/// without disposal is not kept alive. It does not name the type LocalPile, because parts of the pile use it for
/// identities. Safe for many threads.</summary>
internal static class PileDirectory
{
    private static readonly ConcurrentDictionary<ulong, WeakReference<object>> Piles = new();

    /// <summary>A random number; never zero, which stands for no pile.</summary>
    public static ulong NewIdentity()
    {
        ulong identity = 0;
        while (identity == 0)
            RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(new Span<ulong>(ref identity)));
        return identity;
    }

    public static void Add(ulong identity, object pile)
    {
        foreach (var (known, weak) in Piles)
        {
            if (!weak.TryGetTarget(out _))
                Piles.TryRemove(known, out _);
        }

        Piles[identity] = new WeakReference<object>(pile);
    }

    public static void Remove(ulong identity) => Piles.TryRemove(identity, out _);

    public static bool IsOpen(ulong identity) => TryFind<object>(identity, out _);

    public static bool TryFind<TPile>(ulong identity, [NotNullWhen(true)] out TPile? pile)
        where TPile : class
    {
        pile = Piles.TryGetValue(identity, out var weak) && weak.TryGetTarget(out var found) ? (TPile)found : null;
        return pile is not null;
    }
}
