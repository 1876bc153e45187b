using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads cookies in their order. The collection compares each added cookie with all others, so
/// their number is limited, and the comparisons count against the limit for keys.</summary>
internal readonly struct CookieCollectionCodec : ISequenceCodec<CookieCollection, Cookie>
{
    public static bool IsKeyed => false;

    // A cookie can be changed in its collection, so two cookies may have become equal there.
    public static void WriteHead(SlimWriter writer, CookieCollection collection)
    {
        KeyLedger.CheckSearched(writer.Limits, collection.Count);
        ChargeKeys(writer.Keys, collection, ItemsOf(collection));
        if (AddAll([], collection).Count != collection.Count)
            throw Throw.NotSupported(typeof(CookieCollection), "two of its cookies have become equal.");
    }

    public static CookieCollection Create(SlimReader reader) => [];

    public static Cookie[] ItemsOf(CookieCollection collection) => collection.ToArray<Cookie>();

    public static void ChargeKeys(KeyLedger ledger, CookieCollection collection, Cookie[] items)
    {
        ledger.CheckSearched(items.Length);
        for (var before = 1; before < items.Length; before++)
        {
            if (items[before] is { } item)
                ledger.Add(before, KeyLedger.NeighbourSteps + (TextLengthOf(item) / 2));
        }
    }

    public static void Fill(CookieCollection collection, Cookie[] items)
    {
        if (AddAll(collection, items).Count != items.Length)
            Throw.Malformed("A cookie occurs twice in a collection.");
    }

    // The length of the texts that a comparison of two cookies reads.
    private static long TextLengthOf(Cookie item) => (long)item.Name.Length + item.Path.Length + item.Domain.Length;

    private static CookieCollection AddAll(CookieCollection collection, IEnumerable<Cookie> items)
    {
        foreach (var item in items)
            collection.Add(item);
        return collection;
    }
}
