using Cluster.Slim.Layouts;
using Cluster.Slim.Tests.Fuzzing;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Security;

/// <summary>Names and descriptions with which a message asks for types that it must not have.</summary>
[Trait("Case", "slim-M")]
public sealed class ForgedTypeTests
{
    private const byte IsValue = 1;
    private const byte HasBody = 4;
    private const byte Fields = 14;

    private static readonly string LeafName = TypeNames.Of(typeof(Corpus.Leaf));
    private static readonly string StrangerName = TypeNames.Of(typeof(Stranger<int>));

    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<Corpus.Leaf>().Allow<Box<Corpus.Leaf>>());

    /// <summary>The same type of another assembly, or of none, is another type.</summary>
    [Theory]
    [InlineData("Cluster.Slim.Testz")]
    [InlineData("cluster.slim.tests")]
    [InlineData("System.Private.CoreLib")]
    [InlineData("Cluster.Slim.Tests, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null")]
    [InlineData("")]
    public void AssemblyName_ThatIsForged_IsNotAllowed(string assembly)
    {
        CheckGood();
        var name = LeafName[..LeafName.IndexOf(',', StringComparison.Ordinal)];
        CheckNotAllowed(assembly.Length == 0 ? name : $"{name}, {assembly}");
    }

    /// <summary>Every form is on the list only as it is spelled there.</summary>
    [Fact]
    public void DeniedType_InsideOfAnAllowedForm_IsNotAllowed()
    {
        var box = TypeNames.Of(typeof(Box<Corpus.Leaf>));
        CheckGood();
        CheckRead(box);
        foreach (var denied in (string[])[StrangerName, "System.IO.FileStream", "System.Diagnostics.Process"])
        {
            CheckNotAllowed(denied);
            CheckNotAllowed(box.Replace(LeafName, denied, StringComparison.Ordinal));
            CheckNotAllowed($"{denied}[]");
            CheckNotAllowed($"{denied}[,]");
            CheckNotAllowed($"System.Collections.Generic.List`1[{denied}]");
            CheckNotAllowed($"System.Collections.Generic.List`1[System.Collections.Generic.List`1[{denied}]]");
            CheckNotAllowed($"System.Collections.Generic.Dictionary`2[System.String;{denied}]");
            CheckNotAllowed($"System.Nullable`1[{denied}]");
            CheckNotAllowed($"System.Func`1[{denied}]");
        }

        // The definition, an argument too few and too many, and one that is on the list in another form only.
        CheckNotAllowed($"{typeof(Box<>).FullName}, Cluster.Slim.Tests");
        CheckNotAllowed(box.Replace(LeafName, $"{LeafName};{LeafName}", StringComparison.Ordinal));
        CheckNotAllowed(box.Replace(LeafName, box, StringComparison.Ordinal));
        CheckNotAllowed(box.Replace(LeafName, "System.Int32", StringComparison.Ordinal));
        CheckNotAllowed($"{LeafName}[]");
    }

    /// <summary>A class that derives from what cannot be carried cannot be carried either, though it is
    /// allowed.</summary>
    [Fact]
    public void DeniedType_AsBaseClass_IsNotSupported()
    {
        SlimSerializer slim = new(new SlimOptions().Allow<OwnStream>().Allow<Box<OwnStream>>());
        var message = Described(TypeNames.Of(typeof(OwnStream)));
        Assert.Throws<SlimTypeNotSupportedException>(() => slim.Deserialize<object>(message));
        var boxed = Forge.Message().Described(new Forge().Name(TypeNames.Of(typeof(Box<OwnStream>)))
            .Bytes(HasBody, 0).Number(1).Name("<Item").Number(0).Number(ObjectTags.TypeTableFirst + 1)
            .Bytes(0, 1, Fields).Bytes(Layout(TypeNames.Of(typeof(OwnStream))).Done())).Bytes(ObjectTags.NewExact).Done();
        Assert.Throws<SlimTypeNotSupportedException>(() => slim.Deserialize<object>(boxed));

        // A base class that only the message claims does not make an object of it.
        var claimed = Forge.Message().Described(new Forge().Name(LeafName).Bytes(HasBody)
            .Number(1).Name("System.IO.FileStream").Bytes(0, 0, 1, Fields)).Done();
        Assert.Null(Assert.IsType<Corpus.Leaf>(_slim.Deserialize<object>(claimed)).Text);
    }

    /// <summary>Messages never make a type: a name that is on no list is refused, although all that it is made of is
    /// allowed.</summary>
    [Fact]
    public void Constructions_OfAllowedTypes_AreNeverMade()
    {
        var name = LeafName;
        for (var i = 0; i < 20; i++)
        {
            name = $"{typeof(Box<>).FullName}[{name}], Cluster.Slim.Tests";
            if (i == 0)
                CheckRead(name);
            else
                CheckNotAllowed(name);
        }

        Assert.Null(_slim.Engine.Serializers.Resolved.Find(name));
    }

    [Fact]
    public void Names_NestedTenThousandDeep_AreNotAllowed()
    {
        const int Depth = 10_000;
        var open = string.Concat(Enumerable.Repeat("System.Collections.Generic.List`1[", Depth));
        CheckNotAllowed($"{open}{LeafName}{new string(']', Depth)}");
        CheckNotAllowed($"{LeafName}{string.Concat(Enumerable.Repeat("[]", Depth))}");
        CheckNotAllowed($"{LeafName}[{new string(',', Depth)}]");
        CheckNotAllowed(open);
    }

    /// <summary>Each object may describe its type anew, as often as the limit says.</summary>
    [Fact]
    public void Descriptions_UpToTheLimit_AreRead_AndOneMoreIsRefused()
    {
        const int Max = 50;
        SlimSerializer slim = new(new SlimOptions { Limits = { MaxTypeCount = Max } }.Allow<Corpus.Leaf>());
        foreach (var count in (int[])[Max, Max + 1, 10_000])
        {
            Forge forge = Forge.After(_slim.Serialize<object>(Array.Empty<object>()), 1).Number((uint)count)
                .Times(count, static (forge, _) => forge.Bytes(ObjectTags.NewTyped).Described(Layout(LeafName)));
            if (count == Max)
                Assert.Equal(Max, Assert.IsType<object[]>(slim.Deserialize<object>(forge.Done())).Length);
            else
                Assert.Equal(nameof(SlimLimits.MaxTypeCount), Assert.Throws<SlimLimitException>(
                    () => slim.Deserialize<object>(forge.Done())).LimitName);
        }
    }

    /// <summary>Of a value that contains itself, at once or in a circle, no message can be read.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(50)]
    public void Description_WhoseValuesFormACircle_IsRefused(int count)
    {
        var layouts = new Forge().Times(count, (forge, i) => forge
            .Name(i == 0 ? TypeNames.Of(typeof(Corpus.Point)) : $"t{i}").Bytes(IsValue, 0, 0, 0, 1, 2)
            .Number(ObjectTags.TypeTableFirst + (uint)((i + 1) % count)));
        Assert.Throws<SlimMalformedException>(
            () => new SlimSerializer().Deserialize<Corpus.Point>(Forge.Message().Described(layouts).Done()));
    }

    /// <summary>What one serializer was told counts for no other one, whichever decides first.</summary>
    [Fact]
    public void Decision_OfOneSerializer_IsNotThatOfAnother()
    {
        CheckTwo(new Stranger<byte>(), allowsFirst: true);
        CheckTwo(new Stranger<sbyte>(), allowsFirst: false);
        CheckTwo(new Stranger<short>[1], allowsFirst: true);
        CheckTwo(new List<Stranger<ushort>>(), allowsFirst: false);
    }

    private static void CheckTwo<T>(T value, bool allowsFirst)
        where T : class
    {
        SlimSerializer allowing = new(new SlimOptions().Allow<T>());
        SlimSerializer other = new();
        var message = new SlimSerializer(new SlimOptions().Allow<T>()).Serialize<object>(value);
        for (var i = 0; i < 3; i++)
        {
            if (allowsFirst || i > 0)
                Assert.IsType<T>(allowing.Deserialize<object>(message));
            Assert.Throws<SlimTypeNotAllowedException>(() => other.Deserialize<object>(message));
            Assert.Throws<SlimTypeNotAllowedException>(() => other.Serialize<object>(value));
            Assert.IsType<T>(allowing.Deserialize<object>(message));
            Assert.Equal(message, allowing.Serialize<object>(value));
        }
    }

    // A class without fields and bases, as nobody wrote it.
    private static Forge Layout(string name) => new Forge().Name(name).Bytes(HasBody, 0, 0, 0, 1, Fields);

    private static byte[] Described(string name) => Forge.Message().Described(Layout(name)).Done();

    private void CheckNotAllowed(string name)
    {
        foreach (var message in (byte[][])[Described(name), Claimed(name)])
        {
            var error =
                Assert.Throws<SlimTypeNotAllowedException>(() => _slim.Deserialize<object>(message));
            Assert.InRange(error.Message.Length, 1, 2_000);
        }

        CheckGood();
    }

    // A description that says to be the one of the type that is allowed.
    private byte[] Claimed(string name)
    {
        var message = Described(name);
        BitConverter.TryWriteBytes(message.AsSpan(4), _slim.Engine.Serializers.FingerprintOf(typeof(Corpus.Leaf)));
        return message;
    }

    private void CheckRead(string name) => Assert.NotNull(_slim.Deserialize<object>(Described(name)));

    private void CheckGood() => Assert.Equal("good", Assert.IsType<Corpus.Leaf>(
        _slim.Deserialize<object>(_slim.Serialize<object>(new Corpus.Leaf { Text = "good" }))).Text);

    private sealed class Box<T>
    {
        public T? Item { get; init; }
    }

    private sealed class Stranger<T>
    {
        public T? Item { get; init; }
    }

    private sealed class OwnStream : MemoryStream;
}
