using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Finds whether the keys of an immutable collection that is being written may reach objects that a reader has
/// not completed when it builds the collection: objects that were begun before it, and deferred bodies.</summary>
internal static class KeyReach
{
    // For more objects the proof costs less than the search.
    private const int ObjectCountMax = 4096;

    /// <summary>Marks the message if a key may reach such an object.</summary>
    /// <param name="writer">The writer, which has just written the collection.</param>
    /// <param name="handleFirst">The first handle after that of the collection.</param>
    /// <param name="keys">The keys, and a comparer of the user.</param>
    public static void Check(SlimWriter writer, int handleFirst, IEnumerable<object?> keys)
    {
        var doubts = writer.Doubts;
        if (!doubts.IsUncertain && !doubts.IsProof
            && (writer.Deferred.AddedCount > 0 || ReachesBefore(writer.Identity, handleFirst, keys)))
            doubts.IsUncertain = true;
    }

    private static bool ReachesBefore(IdentityTable identity, int handleFirst, IEnumerable<object?> keys)
    {
        ObjectParts parts = new();
        HashSet<object> seen = new(ReferenceEqualityComparer.Instance);
        Stack<object> waiting = new();
        foreach (var key in keys)
        {
            if (key is not null && !KeyShape.HashesByReference(key.GetType()) && seen.Add(key))
                waiting.Push(key);
        }

        while (waiting.TryPop(out var next))
        {
            var handle = identity.Find(next);
            if ((handle >= 0 && handle < handleFirst) || seen.Count > ObjectCountMax)
                return true;
            foreach (var part in parts.Of(next))
            {
                if (seen.Add(part))
                    waiting.Push(part);
            }
        }

        return false;
    }
}
