using System.Runtime.Loader;
using System.Runtime.Serialization;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;
using Cluster.Slim.Tests.Versions;

#pragma warning disable SYSLIB0050 // Types of the formatters of old, which are honoured where opted in.

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Directed cases about the code of users: what becomes another type or object, and what compares.</summary>
internal static class DirectedCode
{
    public static IEnumerable<DirectedCase> All()
    {
        SlimSerializer slim = new(new SlimOptions().AllowCallbacks<Becoming>().AllowCallbacks<Knot>()
            .AddCodec(new JudgeCodec()).Allow<Become>().Allow<HashSet<string>>()
            .Allow<LinkedList<object>>().Allow<TimeZoneInfo>().Allow<StringComparer>());
        var renamed = Forge.After(slim.Serialize(new Becoming { Number = 5 }))
            .Replace(new Forge().Text(Becoming.NumberField).Done(), new Forge().Text("Nobody").Done()).Done();
        yield return new DirectedCase("ContentCodec.cs ReadValues 2", "has no field named 'Nobody'", () =>
            slim.Deserialize<object>(renamed));
        yield return Clone(slim, "ContentRecipe.cs SetFields 1", "is not a", new Becoming { Number = "five" });

        LinkedList<object> list = [];
        Knot knot = new() { List = list };
        list.AddLast(knot);
        yield return Clone(slim, "PlacePatcher.cs CheckAll 1", "stands for another object that was not known", knot);

        Judge judge = new();
        judge.Set = new HashSet<string>(judge) { "a" };
        yield return Clone(slim, "StandInComparer.cs Unread 1", "before its comparer had been read", judge.Set);

        // A rule that begins at an hour of the universal time, which the framework does not tell.
        yield return Clone(slim, "TimeZoneCodec.cs Write 1", "cannot be told apart", FuzzTypes.MadeUpZone(
            new DateTime(2000, 1, 1, 5, 0, 0, DateTimeKind.Utc)));

        // Other serializers make such ones: it compares like the one of the process, and is not the same.
        yield return Clone(slim, "StringComparerCodec.cs Write 1", "not one of the well-known ones",
            RuntimeHelpers.GetUninitializedObject(StringComparer.Ordinal.GetType()));
        yield return Resolver();
        yield return OneName();
        yield return NameOfAnother();
    }

    private static DirectedCase NameOfAnother()
    {
        object[] twins = [.. ((string[])["third", "fourth"]).Select(static c => Activator.CreateInstance(Loaded(c))!)];
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.Trusted });
        return new DirectedCase("AllowSet.cs ThrowIfNameMeansAnother 1", "two types are called Twin", () =>
            slim.Serialize<object>(twins));
    }

    // The list of a root has both types as soon as one is allowed and the other is reached.
    private static DirectedCase OneName()
    {
        Type[] contexts = [Loaded("first"), Loaded("second")];
        SlimSerializer slim = new(new SlimOptions().Allow(contexts[0]));
        var reached = Activator.CreateInstance(contexts[1])!;
        return new DirectedCase("AllowSet.cs ClosedList 1", "on its closed list", () =>
            slim.SerializeRoots(new ArrayBufferWriter<byte>(), reached));
    }

    private static Type Loaded(string context) => new AssemblyLoadContext(context)
        .LoadFromStream(new MemoryStream(TypeVersion.Compile("Shop.Twins", "public class Twin { }"))).GetType("Twin")!;

    private static DirectedCase Clone(SlimSerializer slim, string rule, string says, object value) =>
        new(rule, says, () => slim.DeepClone(value));

    // The bound is reached by asking for as many names, as many messages would.
    private static DirectedCase Resolver()
    {
        ResolvedTypes types = new(static name => ArrayType(int.Parse(name, CultureInfo.InvariantCulture)));
        return new DirectedCase("ResolvedTypes.cs CheckCount 1", "which is all that messages may bring in", () =>
        {
            for (var i = 0; i <= ResolvedTypes.CountMax; i++)
                types.Find($"{i}");
        });
    }

    // Sixteen ranks of sixteen ranks of sixteen ranks.
    private static Type ArrayType(int number)
    {
        const int Ranks = 16;
        var type = typeof(int);
        for (var rest = number; rest > 0 || type == typeof(int); rest /= Ranks)
            type = type.MakeArrayType(1 + (rest % Ranks));
        return type;
    }

    public sealed class Become
    {
        public int Number { get; set; }
    }

    /// <summary>Comes back as another class, with a value that its field may not take.</summary>
    [Serializable]
    public sealed class Becoming : ISerializable
    {
        public const string NumberField = "<Number>k__BackingField";

        public object? Number;

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.SetType(typeof(Become));
            info.AddValue(NumberField, Number, typeof(object));
        }
    }

    /// <summary>Stands for an object that only its own code knows.</summary>
    [Serializable]
    public sealed class Knot : IObjectReference
    {
        public LinkedList<object>? List;

        public object GetRealObject(StreamingContext context) => new Become();
    }

    /// <summary>A comparer that knows the set that it compares for.</summary>
    public sealed class Judge : IEqualityComparer<string>
    {
        public HashSet<string>? Set;

        public bool Equals(string? x, string? y) => x == y;

        public int GetHashCode(string obj) => obj.Length;
    }

    /// <summary>Uses the set before it has its comparer.</summary>
    public sealed class JudgeCodec : SlimCodec<Judge>
    {
        public override void Write(SlimWriter writer, Judge value)
        {
        }

        public override Judge Create(SlimReader reader) => new();

        public override void WriteContent(SlimWriter writer, Judge value) => writer.Write<object?>(value.Set);

        public override void ReadContent(SlimReader reader, Judge value)
        {
            value.Set = (HashSet<string>)reader.Read<object?>()!;
            value.Set.Add("b");
        }
    }
}
