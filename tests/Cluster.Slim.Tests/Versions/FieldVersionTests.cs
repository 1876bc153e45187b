namespace Cluster.Slim.Tests.Versions;

/// <summary>Acceptance case L: fields of classes that came, went, were renamed, moved or changed their type.</summary>
[Trait("Case", "slim-L")]
public sealed class FieldVersionTests
{
    [Fact]
    public void Field_AddedOrRemoved_KeepsDefaultOrIsSkipped_BothWays()
    {
        VersionPair pair = new(
            "public class Order { public int Id; public string Text; public Order Next; }",
            "public class Order { public int Id; public string Extra = \"x\"; public long More; public Order Next; }");
        dynamic old = pair.Old.Make("Order");
        (old.Id, old.Text, old.Next) = (7, "gone", old);
        pair.Check((object)old, back =>
        {
            Assert.Equal((7, null, 0L), ((int)back.Id, (string?)back.Extra, (long)back.More));
            Assert.Same((object)back, (object)back.Next);
        });
        VersionPair back = new("public class Order { public int Id; public string Extra; public long More; }", "public class Order { public int Id; }");
        dynamic now = back.Old.Make("Order");
        (now.Id, now.Extra, now.More) = (8, "y", 5L);
        back.Check((object)now, read => Assert.Equal(8, (int)read.Id));
    }

    [Fact]
    public void Fields_OfEveryKind_ThatAreGone_AreSkipped()
    {
        const string Kinds = """
            public struct Point { public int X; public string Name; public object Any; }
            public enum Shade : byte { Light, Dark }
            public class Item { public string Name; public Item Twin; }
            """;
        VersionPair pair = new(
            Kinds + """
            public class Order {
                public byte A; public string B; public decimal C; public System.DateTime D; public System.Guid? E; public Point F;
                public Point? G; public Shade H; public Shade? I; public int[] J; public Point[] K; public string[] L;
                public int[,] M; public object N; public object[] O; public System.Collections.Generic.List<Item> P;
                public System.Collections.Generic.Dictionary<string, Item> Q; public System.Tuple<int, Item> R;
                public (int, Item) S; public System.Numerics.BigInteger T; public System.Exception U; public System.Uri V;
                public System.Collections.Immutable.ImmutableList<Item> W; public System.Collections.Immutable.ImmutableArray<Item> X;
                public System.Net.IPAddress Y; public System.Collections.BitArray Z; public System.Type ZA; public System.Memory<int> ZB;
                public System.Collections.Generic.HashSet<string> ZC; public System.Collections.Generic.KeyValuePair<int, Item> ZD;
                public System.Collections.Generic.IEnumerable<Item> ZE; public System.Version ZF; public int Last; }
            """,
            "public class Order { public int Last; }");
        dynamic item = pair.Old.Make("Item");
        (item.Name, item.Twin) = ("i", item);
        dynamic point = pair.Old.Make("Point");
        (point.X, point.Name, point.Any) = (1, "p", item);
        dynamic order = pair.Old.Make("Order");
        Fill(pair, order, item, point);
        pair.Check((object)order, back => Assert.Equal(77, (int)back.Last));
    }

    [Fact]
    public void Field_RenamedByAlias_IsFound_AlsoInARenamedType()
    {
        const string Old = "public class Order { public int Amount; public Line First { get; set; } } public class Line { public int N; }";
        VersionPair pair = new(
            Old, "public class Order { public int Count; public Row Head { get; set; } } public class Row { public int N; }");
        dynamic order = pair.Old.Make("Order");
        (order.Amount, order.First) = (5, pair.Old.Make("Line"));
        order.First.N = 6;
        pair.Check(
            (object)order,
            back => Assert.Equal((5, 6), ((int)back.Count, (int)back.Head.N)),
            reading: o => o.Alias("Line", pair.Now["Row"])
                .Alias("Amount", pair.Now["Order"], "Count").Alias("First", pair.Now["Order"], "Head"));
    }

    [Fact]
    public void MemberAlias_ThatMeansNothing_IsRefused()
    {
        TypeVersion version = new("Shop", "public class Order { public int Count; public static int Number; }");
        var options = new SlimOptions().Alias("Amount", version["Order"], "Count");
        Assert.Throws<ArgumentException>(() => options.Alias("Amount", version["Order"], "Count"));
        Assert.Throws<ArgumentException>(() => options.Alias("Old", version["Order"], "Number"));
        Assert.Throws<ArgumentException>(() => options.Alias("Old", typeof(Version), "_Major"));
    }

    [Fact]
    public void Field_MovedToTheBaseClassOrBack_IsFound_IfItsNameIsUnambiguous()
    {
        const string Up = "public class Root { public int Id; } public class Order : Root { public int Count; }";
        const string Down = "public class Root { } public class Order : Root { public int Count; public int Id; }";
        foreach ((var from, var to) in new[] { (Up, Down), (Down, Up) })
        {
            VersionPair pair = new(from, to);
            dynamic order = pair.Old.Make("Order");
            (order.Id, order.Count) = (3, 4);
            pair.Check((object)order, back => Assert.Equal((3, 4), ((int)back.Id, (int)back.Count)));
        }
    }

    [Fact]
    public void SameName_InBaseAndDerived_IsMatchedByTheDeclaringType()
    {
        VersionPair pair = new(
            "public class Root { private int id = 1; public int Low() => id; public void Set(int v) => id = v; } "
            + "public class Order : Root { private int id = 2; public int High() => id; public int More; }",
            "public class Root { private int id = 1; public int Low() => id; public void Set(int v) => id = v; } "
            + "public class Order : Root { private int id = 2; public int High() => id; }");
        dynamic order = pair.Old.Make("Order");
        order.Set(9);
        pair.Check((object)order, back => Assert.Equal((9, 2), ((int)back.Low(), (int)back.High())));
        VersionPair gone = new(
            "public class Root { private int id = 8; } public class Order : Root { private int id = 9; }",
            "public class Root { } public class Top : Root { private int id; public int Top_() => id; } "
            + "public class Order : Top { private int id; public int High() => id; }");
        gone.Check((object)gone.Old.Make("Order"), back => Assert.Equal((8, 9), ((int)back.Top_(), (int)back.High())));
    }

    [Fact]
    public void Property_ThatWasAField_IsFound()
    {
        VersionPair pair = new(
            "public class Order { public int Count; public int Tag { get; set; } }",
            "public class Order { public int Count { get; set; } public int Tag; }");
        dynamic order = pair.Old.Make("Order");
        (order.Count, order.Tag) = (3, 4);
        pair.Check((object)order, back => Assert.Equal((3, 4), ((int)back.Count, (int)back.Tag)));
    }

    [Fact]
    public void Class_ThatIsSealedNow_IsRead_AndCostsNothing()
    {
        VersionPair pair = new("public class Order { public int Id; }", "public sealed class Order { public int Id; }");
        dynamic order = pair.Old.Make("Order");
        order.Id = 3;
        pair.Check((object)order, back => Assert.Equal(3, (int)back.Id));
        pair.Check(
            (object)order, back => Assert.Equal(3, (int)back.Id), reading: o => o.Versioning = SlimVersioning.Strict);
    }

    [Fact]
    public void Fields_InAnotherOrder_AreMatchedByName()
    {
        VersionPair pair = new(
            "public struct P { public int A; public int B; public string C; } public class Order { public P At; public P[] All; }",
            "public struct P { public string C; public int B; public int A; } public class Order { public P[] All; public P At; }");
        dynamic point = pair.Old.Make("P");
        (point.A, point.B, point.C) = (1, 2, "c");
        dynamic order = pair.Old.Make("Order");
        order.At = point;
        order.All = ArrayOf(pair.Old["P"], point, point);
        pair.Check((object)order, back =>
        {
            Assert.Equal((1, 2, "c"), ((int)back.At.A, (int)back.At.B, (string)back.At.C));
            Assert.Equal((1, 2, "c"), ((int)back.All[1].A, (int)back.All[1].B, (string)back.All[1].C));
        });
    }

    internal static Array ArrayOf(Type element, params object[] items)
    {
        var array = Array.CreateInstance(element, items.Length);
        for (var i = 0; i < items.Length; i++)
            array.SetValue(items[i], i);
        return array;
    }

    private static void Fill(VersionPair pair, dynamic order, dynamic item, dynamic point)
    {
        var type = pair.Old["Item"];
        Array items = ArrayOf(type, item);
        (order.A, order.B, order.C, order.D, order.E) = ((byte)1, "ü", 1.5m, DateTime.UnixEpoch, Guid.NewGuid());
        (order.F, order.G, order.H, order.I) = (point, point, (dynamic)Enum.ToObject(pair.Old["Shade"], 1), null);
        (order.J, order.K, order.L) = (new[] { 1, 2 }, (dynamic)ArrayOf(pair.Old["Point"], point), new[] { "a", null });
        (order.M, order.N, order.O) = (new int[2, 3], item, new object?[] { 1, "x", point, item, null, 2.5, new object() });
        order.P = (dynamic)Activator.CreateInstance(typeof(List<>).MakeGenericType(type), items)!;
        order.Q = (dynamic)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(typeof(string), type), StringComparer.OrdinalIgnoreCase)!;
        order.Q.Add("k", item);
        order.R = (dynamic)Activator.CreateInstance(typeof(Tuple<,>).MakeGenericType(typeof(int), type), 1, item)!;
        order.T = System.Numerics.BigInteger.Pow(7, 99);
        order.U = new InvalidOperationException("m", new TimeoutException("n")) { Data = { ["k"] = 1 } };
        order.V = new Uri("https://example.org/");
        order.Y = System.Net.IPAddress.IPv6Loopback;
        order.Z = new System.Collections.BitArray(19);
        (order.ZA, order.ZB, order.ZC) = (typeof(int), new int[] { 1, 2, 3 }.AsMemory(1), new HashSet<string> { "h" });
        (order.ZE, order.ZF, order.Last) = (order.P, new Version(1, 2), 77);
    }
}
