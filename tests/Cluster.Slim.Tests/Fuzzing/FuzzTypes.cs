using System.Collections.ObjectModel;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>User types of every kind that Slim carries in a way of its own; what the fuzz corpus is made of.</summary>
internal static class FuzzTypes
{
    public enum Colour : ushort
    {
        Red = 1,
        Blue = 40_000,
    }

    public sealed class Node
    {
        public int Number;
        public string? Text;
        public Node? Next;
        public object? Any;
        public bool Flag;
    }

    public sealed class Generic<T>
    {
        public T? Value;
        public Generic<T>? Inner;
    }

    public sealed record Key(string Name, object? Part)
    {
        public Key? Inner { get; set; }
    }

    public sealed record Order(int Number) : IComparable<Order>
    {
        public object? Part;

        public int CompareTo(Order? other) => Number.CompareTo(other?.Number);
    }

    public readonly record struct Point(int X, long Y, bool IsSet);

    public readonly struct Empty;

    public struct Holder
    {
        public object? First;
        public string? Second;
        public nint Address;
    }

    public struct Nested
    {
        public Point Place;
        public Three Names;
        public Holder? Held;
    }

    /// <summary>Hashes by the name of an owner that holds it in an immutable set.</summary>
    public sealed class Owned(Owner owner)
    {
        public override bool Equals(object? obj) => obj is Owned;

        public override int GetHashCode() => owner.Name?.Length ?? -1;
    }

    public sealed class Owner
    {
        public ImmutableHashSet<Owned>? Items;
        public string? Name;
    }

    /// <summary>Hashes by the name of its owner, too, and fails as long as there is none.</summary>
    public sealed class Property(Proprietor owner)
    {
        public override bool Equals(object? obj) => obj is Property;

        public override int GetHashCode() => owner.Name!.Length;
    }

    public sealed class Proprietor
    {
        public ImmutableHashSet<Property>? Items;
        public string? Name;
    }

    /// <summary>A key whose own code fails.</summary>
    public sealed class Touchy
    {
        public bool Fails;

        public override bool Equals(object? obj) => obj is Touchy;

        public override int GetHashCode() => Fails ? throw new InvalidOperationException("touchy") : 1;
    }

    [InlineArray(3)]
    public struct Three
    {
        private string? _first;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Overlaid
    {
        [FieldOffset(0)]
        public int Number;

        [FieldOffset(0)]
        public float Single;

        [FieldOffset(6)]
        public short Other;
    }

    public sealed class OwnList : List<object?>
    {
        public string? Name;
    }

    public sealed class OwnMap : Dictionary<string, int>
    {
        public OwnMap()
        {
        }

        public OwnMap(IEqualityComparer<string> comparer)
            : base(comparer)
        {
        }

        public Node? Owner;
    }

    public sealed class ByName : KeyedCollection<string, Node>
    {
        protected override string GetKeyForItem(Node item) => item.Text!;
    }

    public sealed class OwnException(string message, Exception? inner) : Exception(message, inner)
    {
        public Node? Where { get; set; }
    }

    /// <summary>Carried by <see cref="ParcelCodec"/>.</summary>
    public sealed class Parcel
    {
        public int Size;
        public object? Content;
    }

    /// <summary>Carried by <see cref="WeightCodec"/>.</summary>
    public readonly record struct Weight(int Grams);

    public sealed class ParcelCodec : SlimCodec<Parcel>
    {
        public override void Write(SlimWriter writer, Parcel value) => writer.WriteCount(value.Size);

        public override Parcel Create(SlimReader reader)
        {
            var size = reader.ReadCount(1);
            reader.Charge(32);
            return size == 3 ? null! : new Parcel { Size = size };
        }

        public override void WriteContent(SlimWriter writer, Parcel value) => writer.Write(value.Content);

        public override void ReadContent(SlimReader reader, Parcel value)
        {
            value.Content = reader.Read<object?>();
            if (value.Content is string { Length: 0 })
                throw new InvalidOperationException("A parcel with nothing in it.");
        }
    }

    public sealed class WeightCodec : SlimCodec<Weight>
    {
        public override void Write(SlimWriter writer, Weight value) => writer.Write(value.Grams);

        public override Weight Create(SlimReader reader) => new(reader.Read<int>());
    }

    /// <summary>Carried by <see cref="MoodCodec"/>.</summary>
    public readonly struct Mood;

    /// <summary>Something beside a value with a codec.</summary>
    public readonly record struct Pair(Mood Mood, Node Node);

    /// <summary>Reads one thing and then another in turn, which no codec should.</summary>
    public sealed class MoodCodec(Action<SlimWriter> write, Action<SlimReader> first, Action<SlimReader> again)
        : SlimCodec<Mood>
    {
        private int _reads;

        public override void Write(SlimWriter writer, Mood value) => write(writer);

        public override Mood Create(SlimReader reader)
        {
            (_reads++ % 2 == 0 ? first : again)(reader);
            return default;
        }
    }

    /// <summary>A zone with a rule, so that its message ends with one.</summary>
    public static TimeZoneInfo MadeUpZone(DateTime start = default)
    {
        var change = TimeZoneInfo.TransitionTime.CreateFixedDateRule(
            new DateTime(1, 1, 1, 2, 0, 0), 3, 31);
        return TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.Zero, "d", "s", "l", [
            TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                start, DateTime.MaxValue.Date, TimeSpan.FromHours(1), change,
                TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 31)),
        ]);
    }

    /// <summary>Never on a list of the corpus: what messages may try to smuggle in.</summary>
    public sealed class Stranger;
}
