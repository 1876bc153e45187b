using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Versions;

/// <summary>Acceptance cases L and M: descriptions that are big, cyclic or forged.</summary>
[Trait("Case", "slim-L")]
[Trait("Case", "slim-M")]
public sealed class DescriptionTests
{
    [Fact]
    public void AThousandTypes_OneInTheOther_AreDescribedAndRead_OnASmallStack()
    {
        const int Count = 1_000;
        string Chain(string field) => string.Concat(Enumerable.Range(0, Count).Select(i =>
            $"public class C{i} {{ public {(i + 1 < Count ? $"C{i + 1}" : "object")} N; {field} }}\n"));
        VersionPair pair = new(Chain("public int A;"), Chain("public long A;"));
        var old = new SlimOptions().Allow(pair.Old["C0"]);
        dynamic first = pair.Old.Make("C0");
        dynamic last = first;
        for (var i = 1; i < 300; i++, last = last.N)
            last.N = pair.Old.Make($"C{i}");
        last.A = 5;
        Exception? failure = null;
        Thread thread = new(
            () => failure = Record.Exception(() =>
            {
                var message = new SlimSerializer(old).Serialize<object>((object)first);
                dynamic back = new SlimSerializer(new SlimOptions().Allow(pair.Now["C0"])).Deserialize<object>(message);
                for (var i = 1; i < 300; i++)
                    back = back.N;
                Assert.Equal(5L, (long)back.A);
            }),
            256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    [Fact]
    public void Description_ComesBackFromItsBytes()
    {
        SlimSerializer slim = new();
        foreach (var type in
            new[] { typeof(Security.Corpus.Root), typeof(RandomGraph.Node), typeof(Dictionary<Version, int[,]>) })
        {
            var text = new LayoutEncoder(null).Encode(slim.Engine.Serializers.Layouts.Of(type));
            var layouts = new LayoutDecoder(text, slim.Engine.Serializers.Layouts.OfCode).Decode();
            Assert.Equal(TypeNames.Of(type), layouts[0].Name);
            CheckSame(layouts[0], slim.Engine.Serializers.Layouts.Of(type), []);
        }
    }

    [Fact]
    public void ForgedDescriptions_AreRefusedOrUnderstood_NeverMore()
    {
        VersionPair pair = new(
            "public struct P { public int X; public string T; } public class Order { public P A; public P? B; public P[] C; public Order D; public object E; public int Gone; }",
            "public struct P { public int X; public long Y; } public class Order { public P A; public P? B; public P[] C; public Order D; public object E; }");
        dynamic order = pair.Old.Make("Order");
        dynamic p = pair.Old.Make("P");
        (p.T, order.A, order.B, order.D) = ("t", p, p, order);
        order.C = (dynamic)FieldVersionTests.ArrayOf(pair.Old["P"], p, p);
        order.E = new object[] { order, p, "x", pair.Old.Make("Order") };
        (var message, var reader) = pair.Message((object)order, static o => o.Limits = new SlimLimits
        {
            MaxGraphBytes = 1024 * 1024, MaxMessageBytes = 1024 * 1024,
        });
        reader.Deserialize<object>(message);
        var read = 0;
        for (var seed = 0; seed < 10_000; seed++)
        {
            Random random = new(seed);
            byte[] mutated = [.. message];
            for (var i = random.Next(1, 4); i > 0; i--)
                mutated[random.Next(3, mutated.Length)] = (byte)(random.Next(3) == 0 ? random.Next(256) : random.Next(20));
            var before = GC.GetAllocatedBytesForCurrentThread();
            var error = Record.Exception(() => reader.Deserialize<object>(mutated));
            Assert.True(error is null or SlimException { Site: not null }, $"seed {seed}: {error}");
            Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 8 * 1024 * 1024, $"seed {seed}");
            read += error is null ? 1 : 0;
        }

        Assert.InRange(read, 1, 9_999);
    }

    [Theory]
    [InlineData(2, "contains itself")]
    [InlineData(0, "")]
    public void StructDescribedAsContainingItself_IsRefused(int count, string text)
    {
        var description = Values(count);
        var error = Assert.ThrowsAny<SlimException>(
            () => new LayoutDecoder(description, new SlimSerializer().Engine.Serializers.Layouts.OfCode).Decode());
        Assert.Contains(text, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ValuesDescribedTooDeep_AreRefused_WithoutRecursing() =>
        Assert.Equal("ValueNesting", Assert.Throws<SlimLimitException>(() => new LayoutDecoder(
            Chain(20_000, LayoutTraits.Value), new SlimSerializer().Engine.Serializers.Layouts.OfCode).Decode()).LimitName);

    [Fact]
    public void ClassesDescribedTooDeep_AreDecoded_WithoutRecursing() => Assert.Equal(20_000, new LayoutDecoder(
        Chain(20_000, LayoutTraits.HasBody), new SlimSerializer().Engine.Serializers.Layouts.OfCode).Decode().Length);

    [Fact]
    public void ManyDescriptions_LeaveABoundedCache_AndNeverSpoilAGoodOne()
    {
        VersionPair pair = new("public class Order { public int Id; public int Gone; }", "public class Order { public int Id; }");
        dynamic order = pair.Old.Make("Order");
        order.Id = 3;
        (var message, var reader) =
            pair.Message((object)order, static o => o.Limits = new SlimLimits { MaxTypeCount = 16 });
        var at = message.AsSpan().IndexOf("Gone"u8);
        for (var i = 0; i < 1000; i++)
        {
            byte[] forged = [.. message];
            forged[at] = (byte)('A' + (i % 26));
            forged[at + 1] = (byte)('A' + (i / 26 % 26));
            Assert.Equal(3, (int)((dynamic)reader.Deserialize<object>(forged)).Id);
        }

        // The same fingerprint with other content before the good message does not change what the good one means.
        Assert.Equal(3, (int)((dynamic)reader.Deserialize<object>(message)).Id);
        Assert.InRange(reader.Engine.Roots.Of<object>().Allowed.DescribedCount, 1, 16);
    }

    // Structs in a row, the last one holding the first; or one without any content.
    private static byte[] Values(int count)
    {
        if (count == 0)
            return [1, (byte)'A', 1, 0, 0, 0, 0];
        using MemoryStream stream = new();
        using BinaryWriter writer = new(stream, Encoding.UTF8);
        for (var i = 0; i < count; i++)
            WriteStruct(writer, $"S{i}", (i + 1) % count, LayoutTraits.Value);
        return stream.ToArray();
    }

    private static byte[] Chain(int count, LayoutTraits traits)
    {
        using MemoryStream stream = new();
        using BinaryWriter writer = new(stream, Encoding.UTF8);
        for (var i = 0; i < count; i++)
            WriteStruct(writer, $"S{i}", i + 1 < count ? i + 1 : -55, traits);
        return stream.ToArray();
    }

    private static void WriteStruct(BinaryWriter writer, string name, int index, LayoutTraits traits)
    {
        writer.Write(name);
        writer.Write((byte)traits);
        writer.Write7BitEncodedInt(0);
        writer.Write7BitEncodedInt(1);
        writer.Write("F");
        writer.Write7BitEncodedInt(0);
        writer.Write7BitEncodedInt(64 + index);
        writer.Write7BitEncodedInt(0);
        writer.Write7BitEncodedInt(1);
        writer.Write((byte)LayoutOp.Fields);
    }

    private static void CheckSame(TypeLayout described, TypeLayout own, HashSet<TypeLayout> seen)
    {
        Assert.Equal(own.Name, described.Name);
        if (described.IsOpen || ReferenceEquals(described, own) || !seen.Add(described))
            return;
        Assert.Equal((own.Traits, own.BytesMin, own.FixedBytes), (described.Traits, described.BytesMin, described.FixedBytes));
        Assert.Equal(own.Fields.Select(f => (f.Name, f.Level)), described.Fields.Select(f => (f.Name, f.Level)));
        foreach ((var field, var same) in described.Fields.Zip(own.Fields))
            CheckSame(field.Type, same.Type, seen);
        foreach ((var step, var same) in described.Body.Concat(described.Creation).Zip(own.Body.Concat(own.Creation)))
        {
            Assert.Equal((same.Op, same.Count), (step.Op, step.Count));
            foreach ((var type, var sameType) in step.Types.Zip(same.Types))
                CheckSame(type, sameType, seen);
        }
    }
}
