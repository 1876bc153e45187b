using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Registry;

/// <summary>The 64-bit fingerprints of the layouts of types: hashes of their descriptions, so that with equal
/// fingerprints reader and writer agree on every byte. One object per serializer, because codecs are part of the
/// layout; grows with the types used; safe for many threads.</summary>
internal sealed class LayoutFingerprints(TypeRules rules, LayoutCatalog layouts)
{
    private readonly ConcurrentDictionary<Type, ulong> _known = new();
    private readonly ConcurrentDictionary<Type, ulong[]> _past = new();

    public ulong Of(Type type) =>
        _known.TryGetValue(type, out var known) ? known : _known.GetOrAdd(type, Compute(type, rules.WrittenNames));

    /// <summary>The fingerprints of the same fields before each rename of the history.</summary>
    public ulong[] PastOf(Type type) => _past.TryGetValue(type, out var known)
        ? known
        : _past.GetOrAdd(type, [.. rules.History.Select(past => Compute(type, past))]);

    /// <summary>The description of the type that belongs to its fingerprint.</summary>
    public byte[] Describe(Type type) => new LayoutEncoder(rules.WrittenNames).Encode(layouts.Of(type));

    private ulong Compute(Type type, PastNames? past) => XxHash3.Hash(new LayoutEncoder(past).Encode(layouts.Of(type)));
}
