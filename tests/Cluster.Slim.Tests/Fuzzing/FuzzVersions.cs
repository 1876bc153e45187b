using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>A message of other versions of its types: fields moved, gone or changed, and parts to skip.</summary>
internal static class FuzzVersions
{
    private const string Shared = """
        using System; using System.Collections; using System.Collections.Generic; using System.Net;
        public class Node { public int Number; public Node Next; public object Any; }

        """;

    private const string Old = Shared + """
        public struct P { public int X; public string T; public DateTime When; }
        public class Lost
        {
            public int A; public string B; public Lost C; public List<Lost> D; public P? E; public HashSet<string> F;
            public Version G; public IPAddress H; public int[,] I; public BitArray J; public Type K; public object L;
            public Exception M; public bool N; public ArraySegment<int> O; public Node S;
            public Dictionary<string, int> R;
        }
        public class Order
        {
            public long Narrow; public int? Maybe; public P At; public P[] All; public Lost Gone; public object Rest;
            public Node Kept; public object Again; public int Wide; public P? Place; public Order Self;
            public object Typed;
        }
        public struct Q { public int X; }
        """;

    private const string Now = Shared + """
        public struct P { public string T; public long X; }
        public class Order
        {
            public int Narrow; public int Maybe; public P At; public P[] All; public Node Kept; public object Again;
            public long Wide; public P Place; public Order Self;
            public Node Typed;
        }
        public class Q { public int X; }
        """;

    public static IEnumerable<FuzzCase> All()
    {
        VersionPair pair = new(Old, Now);
        foreach (var versioning in Enum.GetValues<SlimVersioning>())
        {
            (var message, var reader) = pair.Message(NewOrder(pair), options =>
            {
                options.Limits = FuzzCorpus.Limits;
                options.Versioning = versioning;
            });
            Action<byte[]> read = bytes => reader.Deserialize<object>(bytes);
            yield return new FuzzCase($"versions {versioning}", message, () => read)
            {
                IsSwept = versioning == SlimVersioning.Tolerant,
                IsHostile = versioning == SlimVersioning.Strict,
            };
        }

        foreach (var hostile in Hostile(pair))
            yield return hostile;
    }

    private static IEnumerable<FuzzCase> Hostile(VersionPair pair)
    {
        dynamic wide = pair.Old.Make("Order");
        wide.Narrow = 5_000_000_000L;
        wide.Maybe = 1;
        yield return HostileOf(pair, "number that does not fit", wide);
        dynamic missing = pair.Old.Make("Order");
        yield return HostileOf(pair, "null in a number", missing);
        dynamic typed = pair.Old.Make("Order");
        typed.Maybe = 1;
        typed.Typed = "text";
        yield return HostileOf(pair, "object that does not fit", typed);
        yield return HostileOf(pair, "struct that is a class here", (object)pair.Old.Make("Q"));
    }

    private static FuzzCase HostileOf(VersionPair pair, string name, object value)
    {
        (var message, var reader) =
            pair.Message(value, static options => options.Limits = FuzzCorpus.Limits);
        return new FuzzCase("hostile versions: " + name, message, () => bytes => reader.Deserialize<object>(bytes))
        {
            IsHostile = true,
        };
    }

    private static object NewOrder(VersionPair pair)
    {
        dynamic order = pair.Old.Make("Order");
        dynamic lost = pair.Old.Make("Lost");
        dynamic node = pair.Old.Make("Node");
        dynamic place = pair.Old.Make("P");
        place.T = "place";
        (node.Number, node.Next, node.Any) = (7, node, "any");
        (lost.A, lost.B, lost.C, lost.E, lost.I) = (1, "b", lost, place, new int[1, 2]);
        (lost.F, lost.G, lost.H) = (new HashSet<string> { "f" }, new Version(1, 2), System.Net.IPAddress.IPv6Loopback);
        (lost.J, lost.K, lost.L) = (new System.Collections.BitArray(9), typeof(int), new object[] { 1, "l", lost });
        (lost.M, lost.O) = (new IOException("m"), new ArraySegment<int>([1, 2, 3], 1, 1));
        (lost.R, lost.S) = (new Dictionary<string, int> { ["r"] = 1 }, node);
        (order.Narrow, order.Maybe, order.At, order.Gone) = (5L, 6, place, lost);
        order.Rest = new List<object> { 1, lost };
        (order.Kept, order.Again, order.Wide, order.Place, order.Self) = (node, node, 3, place, order);
        order.Typed = node;
        return order;
    }
}
