namespace Cluster.Slim.Tests.Versions;

/// <summary>Acceptance case L: numbers, enums and structs that changed, in every place that holds values.</summary>
[Trait("Case", "slim-L")]
public sealed class ValueVersionTests
{
    [Theory]
    [InlineData("int", -5, "long", -5L)]
    [InlineData("long", 5L, "int", 5)]
    [InlineData("byte", (byte)200, "char", 'È')]
    [InlineData("char", 'A', "ushort", (ushort)65)]
    [InlineData("int", 7, "double", 7.0)]
    [InlineData("float", 1.5f, "double", 1.5)]
    [InlineData("double", double.NaN, "float", float.NaN)]
    [InlineData("double", -2.0, "sbyte", (sbyte)-2)]
    [InlineData("int", 3, "int?", 3)]
    [InlineData("int?", 3, "long", 3L)]
    [InlineData("int?", null, "long?", null)]
    [InlineData("ulong", ulong.MaxValue, "ulong?", ulong.MaxValue)]
    public void Number_ThatFits_BecomesAnotherNumber(string old, object? value, string now, object? expected)
    {
        var pair = NewPair(old, now);
        pair.Check(NewOrder(pair, value), back => Assert.Equal(expected, (object?)back.Count));
    }

    [Theory]
    [InlineData("decimal", 2.5, "double")]
    [InlineData("long", 2L, "decimal")]
    [InlineData("int", 2, "System.Int128")]
    [InlineData("System.Half", 2, "int")]
    public void WideNumbers_BecomeEachOther(string old, object value, string now)
    {
        var pair = NewPair(old, now);
        var converted = old switch
        {
            "decimal" => (object)2.5m,
            "System.Half" => (Half)2,
            _ => value,
        };
        pair.Check(NewOrder(pair, converted), back => Assert.Equal(value.ToString(), ((object)back.Count).ToString()));
    }

    [Theory]
    [InlineData("long", 5_000_000_000L, "int")]
    [InlineData("int", -1, "uint")]
    [InlineData("double", 1.5, "int")]
    [InlineData("double", 0.1, "float")]
    [InlineData("double", double.PositiveInfinity, "decimal")]
    [InlineData("double", double.NaN, "long")]
    [InlineData("long", long.MaxValue, "double")]
    [InlineData("int?", null, "int")]
    public void Number_ThatDoesNotFit_IsALayoutErrorNamingTypeAndField(string old, object? value, string now)
    {
        var pair = NewPair(old, now);
        var error = pair.Refuses<SlimLayoutException>(NewOrder(pair, value));
        Assert.Contains("Order, Shop.Count", error.Message, StringComparison.Ordinal);
        Assert.Contains("does not fit", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("string", "5", "int")]
    [InlineData("int", 5, "string")]
    [InlineData("int", 5, "object")]
    [InlineData("bool", true, "int")]
    [InlineData("System.DateTime", null, "long")]
    [InlineData("Part", null, "Piece")]
    public void IncompatibleKinds_AreALayoutErrorNamingTypeAndField(string old, object? value, string now)
    {
        const string Parts = "public struct Part { public int A; } public struct Piece { public int A; } ";
        var pair = NewPair(old, now, Parts);
        var error = pair.Refuses<SlimLayoutException>(NewOrder(pair, value));
        Assert.Contains("Order, Shop.Count was written as", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("struct", "class")]
    [InlineData("class", "struct")]
    public void StructThatBecameAClass_OrBack_IsALayoutError(string old, string now)
    {
        const string Body = " Part { public int A; } public class Order { public Part Count; public object Any; }";
        VersionPair pair = new($"public {old}{Body}", $"public {now}{Body}");
        dynamic order = pair.Old.Make("Order");
        order.Count = pair.Old.Make("Part");
        Assert.Contains("Part", pair.Refuses<SlimLayoutException>((object)order).Message, StringComparison.Ordinal);
        VersionPair loose = new(
            $"public {old} Part {{ public int A; }} public class Order {{ public object Any; }}",
            $"public {now} Part {{ public int A; }} public class Order {{ public object Any; }}");
        order = loose.Old.Make("Order");
        order.Any = loose.Old.Make("Part");
        Assert.Contains("Part", loose.Refuses<SlimLayoutException>((object)order).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("byte", "int")]
    [InlineData("long", "short")]
    public void EnumWithAnotherUnderlyingType_IsRead_InEveryPlace(string old, string now)
    {
        const string Places = """
            public class Order { public Shade A; public Shade? B; public Shade[] C; public object D;
            public System.Collections.Generic.Dictionary<Shade, Shade> E; }
            """;
        VersionPair pair = new($"public enum Shade : {old} {{ X, Y }} {Places}", $"public enum Shade : {now} {{ X, Y }} {Places}");
        dynamic shade = Enum.ToObject(pair.Old["Shade"], 1);
        dynamic order = pair.Old.Make("Order");
        (order.A, order.B, order.D) = (shade, shade, shade);
        order.C = (dynamic)FieldVersionTests.ArrayOf(pair.Old["Shade"], shade, shade);
        order.E = (dynamic)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(pair.Old["Shade"], pair.Old["Shade"]))!;
        order.E.Add(shade, shade);
        pair.Check((object)order, back =>
        {
            dynamic read = Enum.ToObject(pair.Now["Shade"], 1);
            Assert.Equal((read, read, read, read, 1), (back.A, back.B, back.C[1], back.D, back.E.Count));
            Assert.Equal(read, back.E[read]);
        });
    }

    [Fact]
    public void StructFields_ThatChanged_AreMatched_InEveryPlace()
    {
        const string Places = """
            public class Order { public P A; public P? B; public P[] C; public System.Collections.Generic.List<P> D; public object E;
            public System.Collections.Generic.Dictionary<P, P> F; public (P, int) G; public System.Collections.Generic.KeyValuePair<P, P> H;
            public System.Tuple<P> I; public P[,] J; public System.Collections.Generic.HashSet<P> K; public Outer L; public P[][] M;
            public System.Collections.Immutable.ImmutableArray<P> N; public System.Memory<P> O; public P?[] Q; }
            public struct Outer { public P Inner; public int Tail; }
            """;
        VersionPair pair = new(
            "public struct P { public int X; public string Gone; public int Y; } " + Places,
            "public struct P { public long Y; public int X; public System.Guid New; } " + Places);
        var type = pair.Old["P"];
        dynamic p = pair.Old.Make("P");
        (p.X, p.Gone, p.Y) = (1, "g", 2);
        dynamic order = pair.Old.Make("Order");
        (order.A, order.B, order.C, order.E) = (p, p, (dynamic)FieldVersionTests.ArrayOf(type, p, p), p);
        order.D = Make(typeof(List<>).MakeGenericType(type));
        order.D.Add(p);
        order.F = Make(typeof(Dictionary<,>).MakeGenericType(type, type));
        order.F.Add(p, p);
        order.G = Make(typeof(ValueTuple<,>).MakeGenericType(type, typeof(int)), p, 9);
        order.H = Make(typeof(KeyValuePair<,>).MakeGenericType(type, type), p, p);
        order.I = Make(typeof(Tuple<>).MakeGenericType(type), p);
        var grid = Array.CreateInstance(type, 1, 2);
        grid.SetValue((object)p, 0, 1);
        order.J = (dynamic)grid;
        order.K = Make(typeof(HashSet<>).MakeGenericType(type));
        order.K.Add(p);
        dynamic outer = pair.Old.Make("Outer");
        (outer.Inner, outer.Tail) = (p, 8);
        order.L = outer;
        order.O = Make(typeof(Memory<>).MakeGenericType(type), FieldVersionTests.ArrayOf(type, p));
        pair.Check((object)order, back =>
        {
            dynamic q = back.A;
            Assert.Equal((1, 2L, Guid.Empty), ((int)q.X, (long)q.Y, (Guid)q.New));
            Assert.Equal((q, q, q, q), (back.B, back.C[1], back.D[0], back.E));
            Assert.Equal((q, q, 9), (back.F[q], back.G.Item1, back.G.Item2));
            Assert.Equal((q, q, q), (back.H.Key, back.H.Value, back.I.Item1));
            Assert.Equal((q, true, q, 8), (back.J[0, 1], back.K.Contains(q), back.L.Inner, back.L.Tail));
            Assert.Equal(1, (int)back.O.Length);
        });
    }

    [Fact]
    public void Parts_OfObjectsWithoutTheirType_AreReadByTheirOwnLayout()
    {
        const string Order = "public class Order { public Line First; public System.Collections.Generic.List<Line> All; } ";
        VersionPair pair = new(
            Order + "public class Line { public int Count; public Tag Tag; public string Gone; } public class Tag { public int N; }",
            Order + "public class Line { public Tag Tag; public long Count; } public class Tag { public string New; public short N; }");
        dynamic line = pair.Old.Make("Line");
        (line.Count, line.Gone, line.Tag) = (3, "g", pair.Old.Make("Tag"));
        line.Tag.N = 4;
        dynamic order = pair.Old.Make("Order");
        order.First = line;
        order.All = Make(typeof(List<>).MakeGenericType(pair.Old["Line"]));
        order.All.Add(line);
        order.All.Add(pair.Old.Make("Line"));
        pair.Check((object)order, back =>
        {
            Assert.Equal((3L, (short)4), ((long)back.First.Count, (short)back.First.Tag.N));
            Assert.Same((object)back.First, (object)back.All[0]);
            Assert.Equal(0L, (long)back.All[1].Count);
        });
    }

    [Fact]
    public void UserExceptions_AndDerivedCollections_WithOtherFields_AreRead()
    {
        VersionPair pair = new(
            "public class Bad : System.Exception { public Bad(string m) : base(m) { } public int Code; public string Gone; } "
            + "public class Bag : System.Collections.Generic.List<int> { public string Gone; public int Size; } public class Order { public object A; public Bag B; }",
            "public class Bad : System.Exception { public Bad(string m) : base(m) { } public long Code; } "
            + "public class Bag : System.Collections.Generic.List<int> { public long Size; } public class Order { public object A; public Bag B; }");
        dynamic bad = pair.Old.Make("Bad", "m");
        (bad.Code, bad.Gone) = (5, "g");
        dynamic bag = pair.Old.Make("Bag");
        (bag.Gone, bag.Size) = ("g", 6);
        bag.Add(1);
        dynamic order = pair.Old.Make("Order");
        (order.A, order.B) = (bad, bag);
        pair.Check((object)order, back =>
        {
            Assert.Equal(("m", 5L), ((string)back.A.Message, (long)back.A.Code));
            Assert.Equal((6L, 1, 1), ((long)back.B.Size, (int)back.B.Count, (int)back.B[0]));
        });
    }

    /// <summary>What such a struct carries is not its fields, which stand in no description.</summary>
    [Fact]
    public void StructThatSaysItselfWhatIsCarried_InATypeThatChanged_IsRead()
    {
        const string Own = """
            using System; using System.Runtime.Serialization;
            #pragma warning disable SYSLIB0050
            public class Node { public int Number; }
            [Serializable] public struct Own : ISerializable {
                public Node Part;
                public Own(SerializationInfo info, StreamingContext context) =>
                    Part = new Node { Number = info.GetInt32("number") };
                public void GetObjectData(SerializationInfo info, StreamingContext context) =>
                    info.AddValue("number", Part.Number); }

            """;
        VersionPair pair = new(
            Own + "public class Order { public Own A; public Own? B; public int Gone; }",
            Own + "public class Order { public Own A; public Own? B; }");
        var own = pair.Old.New("Own", ("Part", pair.Old.New("Node", ("Number", 7))));
        var order = pair.Old.New("Order", ("A", own), ("B", own));
        pair.Check(
            order,
            back => Assert.Equal((7, 7), ((int)back.A.Part.Number, (int)back.B.Part.Number)),
            o => o.AllowCallbacks(pair.Old["Own"]),
            o => o.AllowCallbacks(pair.Now["Own"]));
    }

    [Fact]
    public void Strict_NamesTheFirstDifference()
    {
        var pair = NewPair("int", "long");
        var error = pair.Refuses<SlimLayoutException>(
            NewOrder(pair, 1), reading: static o => o.Versioning = SlimVersioning.Strict);
        Assert.Contains("'Count System.Int32', the reader has 'Count System.Int64'", error.Message, StringComparison.Ordinal);
        VersionPair deep = new(
            "public class Order { public Line A; } public class Line { public int N; public int More; }",
            "public class Order { public Line A; } public class Line { public int N; }");
        error = deep.Refuses<SlimLayoutException>(
            (object)deep.Old.Make("Order"), reading: static o => o.Versioning = SlimVersioning.Strict);
        Assert.Equal("Line, Shop", error.TypeName);
        Assert.Contains("'More System.Int32', the reader has not", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void KnownSchema_CannotBridge_AndSaysWhatToDo()
    {
        var pair = NewPair("int", "long");
        var error = pair.Refuses<SlimLayoutException>(
            NewOrder(pair, 1), writing: static o => o.Schema = SlimSchema.Known);
        Assert.Contains("SlimSchema.Full", error.Message, StringComparison.Ordinal);
    }

    private static VersionPair NewPair(string old, string now, string more = "") => new(
        more + $"public class Order {{ public {old} Count; public int Last; }}",
        more + $"public class Order {{ public {now} Count; public int Last; }}");

    private static object NewOrder(VersionPair pair, object? value)
    {
        dynamic order = pair.Old.Make("Order");
        if (value is not null)
            ((object)order).GetType().GetField("Count")!.SetValue(order, value);
        order.Last = 7;
        return order;
    }

    private static dynamic Make(Type type, params object[] arguments) => Activator.CreateInstance(type, arguments)!;
}
