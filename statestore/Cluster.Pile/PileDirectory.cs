using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Cluster.Pile;

/// <summary>
/// The open piles of the process by their identity. It refers to them weakly, so a pile that is forgotten without
/// being disposed is not kept. Safe for many threads.
/// </summary>
internal static class PileDirectory
{
    private static readonly ConcurrentDictionary<ulong, WeakReference<LocalPile>> Piles = new();

    /// <summary>A random number; never zero, which stands for no pile.</summary>
    public static ulong NewIdentity()
    {
        ulong identity = 0;
        while (identity == 0)
            RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(new Span<ulong>(ref identity)));
        return identity;
    }

    public static void Add(LocalPile pile)
    {
        foreach (var (identity, weak) in Piles)
        {
            if (!weak.TryGetTarget(out _))
                Piles.TryRemove(identity, out _);
        }

        Piles[pile.Identity] = new WeakReference<LocalPile>(pile);
    }

    public static void Remove(LocalPile pile) => Piles.TryRemove(pile.Identity, out _);

    public static bool TryFind(ulong identity, [NotNullWhen(true)] out LocalPile? pile)
    {
        pile = null;
        return Piles.TryGetValue(identity, out var weak) && weak.TryGetTarget(out pile);
    }
}
