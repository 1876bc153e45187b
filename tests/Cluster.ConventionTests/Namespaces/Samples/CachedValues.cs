using Cluster.Pile;
using Cluster.Pile.Caching;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Keeps values by key.</summary>
internal static class CachedValues
{
    public static bool Keep(LocalPile pile, string text)
    {
        var texts = new PileCache(pile).GetOrCreateTable<long, string>("texts");
        return texts.Put(1, text) != PutResult.Refused;
    }
}
