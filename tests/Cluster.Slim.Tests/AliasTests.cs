using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests;

/// <summary>Renames: messages from before types were renamed are read.</summary>
[Trait("Case", "slim-L")]
public sealed class AliasTests
{
    private const string OldOuter = "Cluster.Slim.Tests.AliasTests+Before+";
    private const string MiddleOuter = "Cluster.Slim.Tests.AliasTests+Between+";

    private const string Line = "public class Line { public int Count; public Line Next; }";

    private static readonly SlimSerializer Old = new();
    private static readonly SlimSerializer OldKnown = new(new SlimOptions { Schema = SlimSchema.Known });

    [Fact]
    public void RenamedTypes_InEveryPlace_AreRead() =>
        CheckRenamed(Old.Serialize(NewOld()), Reader(SlimProfile.Contract));

    [Fact]
    public void RenamedTypes_InMessagesWithoutNames_AreRead() =>
        CheckRenamed(OldKnown.Serialize(NewOld()), Reader(SlimProfile.Contract));

    [Fact]
    public void RenamedTypes_InTheTrustedProfile_AreRead() =>
        CheckRenamed(Old.Serialize(NewOld()), Reader(SlimProfile.Trusted));

    [Fact]
    public void RenamedTypes_InASession_AreRead()
    {
        using var writer = Old.OpenWriterSession();
        using var reader = Reader(SlimProfile.Contract).OpenReaderSession();
        for (var i = 0; i < 2; i++)
        {
            System.Buffers.ArrayBufferWriter<byte> output = new();
            writer.Serialize(output, NewOld());
            writer.Commit();
            CheckOrder(reader.Deserialize<After.Bill>(output.WrittenSpan));
        }
    }

    [Fact]
    [Trait("Case", "experience-M5")]
    public void RenamedTwice_MessagesOfEachMoment_AreRead()
    {
        SlimSerializer reader = new(new SlimOptions()
            .Alias(OldOuter + "Point", typeof(After.Dot))
            .Alias(MiddleOuter + "Spot", typeof(After.Dot)));
        Assert.Equal(1, reader.Deserialize<After.Dot>(Old.Serialize(new Before.Point { X = 1 })).X);
        Assert.Equal(2, reader.Deserialize<After.Dot>(Old.Serialize(new Between.Spot { X = 2 })).X);
        Assert.Equal(3, reader.DeepClone(new After.Dot { X = 3 }).X);
    }

    [Fact]
    public void MovedType_FromAnotherNamespaceAndAssembly_IsRead()
    {
        TypeVersion old = new("Shop.Old", "namespace Shop; " + Line);
        TypeVersion now = new("Shop.New", "namespace Mall; " + Line);
        var tail = old.New("Shop.Line", ("Count", 4));
        var message = TypeVersion.Write(old.New("Shop.Line", ("Count", 3), ("Next", tail)));
        var type = now["Mall.Line"];
        var back = TypeVersion.Read(new SlimOptions().Alias("Shop.Line, Shop.Old", type), message, type)!;
        Assert.Equal(3, TypeVersion.Get(back, "Count"));
        Assert.Equal(4, TypeVersion.Get(TypeVersion.Get(back, "Next")!, "Count"));
        Assert.Throws<SlimTypeNotAllowedException>(
            () => TypeVersion.Read(new SlimOptions().Alias("Shop.Line", type), message, type));
    }

    [Fact]
    public void Alias_DoesNotChangeWhatIsWritten() =>
        Assert.Equal(Old.Serialize(NewNew()), Reader(SlimProfile.Contract).Serialize(NewNew()));

    [Fact]
    public void WithoutAlias_TheOldName_IsNotAllowed() => Assert.Throws<SlimTypeNotAllowedException>(
        () => Old.Deserialize<After.Dot>(Old.Serialize(new Before.Point { X = 1 })));

    [Fact]
    public void Alias_OfATypeOffTheClosedList_DoesNotAdmitIt()
    {
        SlimSerializer reader = new(new SlimOptions().Alias(OldOuter + "Point", typeof(After.Dot)));
        var message = new SlimSerializer(new SlimOptions().Allow<Before.Point>())
            .Serialize<object>(new Before.Point { X = 1 });
        Assert.Throws<SlimTypeNotAllowedException>(() => reader.Deserialize<object>(message));
    }

    [Fact]
    public void RenamedType_WithOtherFields_NamesTheDifferenceThatIsLeft()
    {
        SlimSerializer reader = new(new SlimOptions { Versioning = SlimVersioning.Strict }
            .Alias(OldOuter + "Chain", typeof(After.Links)));
        var error = Assert.Throws<SlimLayoutException>(
            () => reader.Deserialize<After.Links>(Old.Serialize(new Before.Chain())));
        Assert.Contains("reader has the field 'Weight", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Alias_ThatMeansNothing_IsRefused()
    {
        var options = new SlimOptions().Alias("A", typeof(After.Dot));
        Assert.Throws<ArgumentException>(() => options.Alias("A", typeof(After.Bill)));
        Assert.Throws<ArgumentException>(() => options.Alias(" ", typeof(After.Bill)));
        Assert.Throws<ArgumentException>(() => options.Alias("B[C]", typeof(After.Bill)));
        Assert.Throws<ArgumentException>(() => options.Alias("B", typeof(After.Dot[])));
        Assert.Throws<ArgumentException>(() => options.Alias("B", typeof(After.Case<int>)));
        Assert.Throws<ArgumentException>(() => options.Alias("B", typeof(Version)));
    }

    private static SlimSerializer Reader(SlimProfile profile) => new(new SlimOptions { Profile = profile }
        .Alias(OldOuter + "Point", typeof(After.Dot))
        .Alias(OldOuter + "Order, Cluster.Slim.Tests", typeof(After.Bill))
        .Alias(OldOuter + "Root", typeof(After.Base))
        .Alias(OldOuter + "Box`1", typeof(After.Case<>))
        .Alias(OldOuter + "State", typeof(After.Phase)));

    private static void CheckRenamed(byte[] message, SlimSerializer reader)
    {
        CheckOrder(reader.Deserialize<After.Bill>(message));
        CheckOrder(reader.Deserialize<After.Bill>(reader.Serialize(NewNew())));
    }

    private static void CheckOrder(After.Bill back)
    {
        Assert.Equal((5, "a", 7, After.Phase.Done), (back.Id, back.Name, back.At.X, back.State));
        Assert.Equal(9, Assert.Single(back.Boxes!).Content.X);
        Assert.Same(back, back.Parent);
        Assert.Equal(11, Assert.IsType<After.Dot>(back.Any).X);
    }

    private static Before.Order NewOld()
    {
        Before.Order order = new()
        {
            Id = 5, Name = "a", At = new Before.Point { X = 7 }, State = Before.State.Done,
            Boxes = [new Before.Box<Before.Point> { Content = new Before.Point { X = 9 } }],
            Any = new Before.Point { X = 11 },
        };
        order.Parent = order;
        return order;
    }

    private static After.Bill NewNew()
    {
        After.Bill bill = new()
        {
            Id = 5, Name = "a", At = new After.Dot { X = 7 }, State = After.Phase.Done,
            Boxes = [new After.Case<After.Dot> { Content = new After.Dot { X = 9 } }],
            Any = new After.Dot { X = 11 },
        };
        bill.Parent = bill;
        return bill;
    }

    private static class Before
    {
        public enum State
        {
            New,
            Done,
        }

        public struct Point
        {
            public int X;
        }

        public class Root
        {
            public int Id;
        }

        public sealed class Box<T>
        {
            public T Content = default!;
        }

        public sealed class Order : Root
        {
            public string? Name;
            public Point At;
            public State State;
            public List<Box<Point>>? Boxes;
            public Order? Parent;
            public object? Any;
        }

        public sealed class Chain
        {
            public Chain? Next { get; set; }
        }
    }

    private static class Between
    {
        public struct Spot
        {
            public int X;
        }
    }

    private static class After
    {
        public enum Phase
        {
            New,
            Done,
        }

        public struct Dot
        {
            public int X;
        }

        public class Base
        {
            public int Id;
        }

        public sealed class Case<T>
        {
            public T Content = default!;
        }

        public sealed class Bill : Base
        {
            public string? Name;
            public Dot At;
            public Phase State;
            public List<Case<Dot>>? Boxes;
            public Bill? Parent;
            public object? Any;
        }

        public sealed class Links
        {
            public Links? Next { get; set; }

            public int Weight { get; set; }
        }
    }
}
