using System.Collections.Specialized;
using System.ComponentModel;
using System.Runtime.Serialization;
using Cluster.Slim.Types;

#pragma warning disable SYSLIB0050 // Types of the formatters of old, which are honoured where opted in.

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Types whose own code runs while they are read, delegates and comparers; and values of them.</summary>
internal static class FuzzCallbacks
{
    public static IEnumerable<FuzzCase> All()
    {
        SlimOptions options = new() { Limits = FuzzCorpus.Limits };
        options.AllowCallbacks<Serial>().AllowCallbacks<Hooked>().AllowCallbacks<Stand>()
            .AllowMethodsOf(typeof(Methods))
            .Allow<Func<int, int>>().Allow<OwnComparer>().Allow<HashSet<string>>().Allow<Dictionary<string, int>>()
            .Allow<FuzzTypes.Node>().Allow<Serial[]>();
        var values = Values();
        foreach (var type in values.Select(static v => FrameworkForms.CarriedTypeOf(v.GetType())).Distinct())
        {
            if (type.Assembly != typeof(FuzzCallbacks).Assembly)
                options.Allow(type);
        }

        SlimSerializer slim = new(options);
        return values.Select(value => new FuzzCase(
            $"callbacks {value.GetType()}", slim.Serialize(value), () => bytes => slim.Deserialize<object>(bytes))
        {
            IsSwept = true,
        });
    }

    private static object[] Values()
    {
        Serial serial = new() { Number = 4, Text = "t" };
        serial.Other = serial;
        Stand stand = new() { Target = new FuzzTypes.Node() };
        return
        [
            serial, new Hooked { Number = 6 }, new object[] { new FuzzTypes.Node { Any = stand }, stand },
            new Serial[] { serial, new() }, new Func<int, int>(Methods.Twice), new OwnComparer(),
            new HashSet<string>(new OwnComparer()) { "a" }, new Dictionary<string,
            int>(new OwnComparer()) { ["a"] = 1 },
            new BindingList<int> { 1, 2 }, new HybridDictionary { ["a"] = 1 }, new ListDictionary { ["a"] = 1 },
            new OrderedDictionary { ["a"] = 1 }, new SortedList { ["a"] = 1 }, new NameValueCollection { ["a"] = "b" },
            new StringDictionary { ["a"] = "b" }, CaseInsensitiveComparer.DefaultInvariant, StringComparer.Ordinal,
            EqualityComparer<int>.Default, Comparer<string>.Default,
            new Hashtable(StringComparer.Ordinal) { ["a"] = 1 },
        ];
    }

    public static class Methods
    {
        public static int Twice(int value) => 2 * value;

        public static string Name(string value) => value;
    }

    [Serializable]
    public sealed class Serial : ISerializable
    {
        public int Number;
        public string? Text;
        public object? Other;

        public Serial()
        {
        }

        private Serial(SerializationInfo info, StreamingContext context)
        {
            Number = info.GetInt32("number");
            Text = info.GetString("text");
            Other = info.GetValue("other", typeof(object));
        }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("number", Number);
            info.AddValue("text", Text);
            info.AddValue("other", Other);
        }
    }

    public sealed class Hooked
    {
        public int Number;

        [OnDeserialized]
        private void Done(StreamingContext context)
        {
            if (Number % 2 != 0)
                throw new InvalidOperationException("odd");
        }
    }

    [Serializable]
    public sealed class Stand : IObjectReference
    {
        public object? Target;

        public object GetRealObject(StreamingContext context) => Target!;
    }

    public sealed class OwnComparer : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x == y;

        public int GetHashCode(string obj) => obj.Length;
    }
}
