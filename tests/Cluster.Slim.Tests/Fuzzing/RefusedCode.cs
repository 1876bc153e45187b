using System.Reflection.Emit;
using System.Runtime.Serialization;

#pragma warning disable SYSLIB0050 // Types of the formatters of old, which are honoured where opted in.

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Graphs with types whose own code misbehaves while it writes or while it reads what it wrote, one for each
/// rule about that; and delegates that no message may name.</summary>
internal static class RefusedCode
{
    private const int Deep = 400;

    private static readonly Lazy<SlimSerializer> Slim = new(static () => New(static _ => { }));
    private static readonly Lazy<SlimSerializer> OneCallback =
        new(static () => New(static options => options.Limits.MaxCallbackCount = 1));

    /// <summary>A serializer that runs the code of these types; all of them are on its list.</summary>
    public static SlimSerializer Serializer => Slim.Value;

    public static IEnumerable<(string Name, Action Act)> All()
    {
        yield return Writing("content that fails", new Content { Fault = Fault.Throws });
        yield return Writing("content that names a type by text", new Content { Fault = Fault.NamesByText });
        yield return Writing("content for a type without its members", new Content { Fault = Fault.LacksMembers });
        yield return Writing("callback that fails", new Told { Fails = true });
        yield return Cloning("stand-in for null", new Stand());
        yield return Cloning("stand-ins in a ring", Ring());
        yield return Cloning<IThing>("root that stands for another type", Mismatch());
        yield return Cloning("root in itself that stands for another type", Tied());
        yield return Cloning<object>("place that the real object does not fit", new Holder { Thing = Mismatch() });
        yield return Cloning<object>("place patched with what does not fit", TypedRing());
        yield return Cloning<object>("struct that stands for another type", new Coin[] { new() { Any = "text" } });
        yield return Cloning<object>("stand-ins too deep", DeepStands());
        yield return ("callbacks over the limit when writing",
            () => OneCallback.Value.Serialize(new Told[] { new(), new() }));
        var message = Serializer.Serialize(new Told[] { new(), new() });
        yield return ("callbacks over the limit when reading", () => OneCallback.Value.Deserialize<Told[]>(message));
        yield return Writing("open delegate", Delegate.CreateDelegate(
            typeof(Func<string, string>), typeof(string).GetMethod(nameof(string.Trim), [])!));
        if (RuntimeFeature.IsDynamicCodeSupported)
            yield return Writing("method made at run time", MadeMethod());
        yield return Writing("second null of databases", RuntimeHelpers.GetUninitializedObject(typeof(DBNull)));
        var forged = Serializer.Serialize<Func<long, int>>(Methods.Same);
        var at = forged.AsSpan().LastIndexOf("Same(System.Int64)"u8);
        "Same(System.Int32)"u8.CopyTo(forged.AsSpan(at));
        yield return ("method of another signature", () => Serializer.Deserialize<Func<long, int>>(forged));
    }

    private static (string, Action) Writing(string name, object value) => (name, () => Serializer.Serialize(value));

    private static (string, Action) Cloning<T>(string name, T value)
        where T : class => (name, () => Serializer.DeepClone<T>(value));

    private static SlimSerializer New(Action<SlimOptions> configure)
    {
        SlimOptions options = new() { Limits = new SlimLimits { MaxGraphBytes = FuzzCorpus.Limits.MaxGraphBytes } };
        configure(options);
        options.AllowCallbacks<Content>().AllowCallbacks<Told>().AllowCallbacks<Stand>().AllowCallbacks<Coin>()
            .AllowMethodsOf(typeof(Methods)).AllowMethodsOf(typeof(FuzzCallbacks.Methods))
            .Allow<Func<string, string>>().Allow<Action>().Allow<Func<long, int>>().Allow<Func<int, int>>()
            .Allow<DBNull>().Allow<Holder>().Allow<Coin[]>().Allow<Told[]>().Allow<Other>()
            .Allow<FuzzTypes.Node>();
        return new SlimSerializer(options);
    }

    private static Action MadeMethod()
    {
        DynamicMethod method = new("made", null, []);
        method.GetILGenerator().Emit(OpCodes.Ret);
        return method.CreateDelegate<Action>();
    }

    private static Stand Ring()
    {
        Stand first = new();
        first.Target = new Stand { Target = first };
        return first;
    }

    private static Stand Mismatch() => new() { Target = new Other() };

    private static Stand Tied()
    {
        Stand stand = new();
        stand.Target = new Other { Any = stand };
        return stand;
    }

    private static Stand TypedRing()
    {
        Stand stand = new();
        stand.Target = new Holder { Thing = stand };
        return stand;
    }

    private static object DeepStands()
    {
        object at = new Other();
        for (var i = 0; i < Deep; i++)
            at = new Stand { Target = at };
        return at;
    }

    public enum Fault
    {
        None,
        Throws,
        NamesByText,
        LacksMembers,
    }

    public interface IThing;

    public static class Methods
    {
        public static int Same(int value) => value;

        public static int Same(long value) => (int)value;
    }

    public sealed class Other
    {
        public object? Any;
    }

    public sealed class Holder
    {
        public IThing? Thing;
    }

    [Serializable]
    public sealed class Content : ISerializable
    {
        public Fault Fault;

        public Content()
        {
        }

        private Content(SerializationInfo info, StreamingContext context) => Fault = (Fault)info.GetInt32("fault");

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("fault", (int)Fault);
            if (Fault == Fault.Throws)
                throw new InvalidOperationException("content");
            if (Fault == Fault.NamesByText)
                info.FullTypeName = "Some.Type";
            if (Fault == Fault.LacksMembers)
                info.SetType(typeof(Other));
        }
    }

    public sealed class Told
    {
        public bool Fails;

        [OnSerializing]
        private void Begin(StreamingContext context)
        {
            if (Fails)
                throw new InvalidOperationException("told");
        }

        [OnDeserialized]
        private void Done(StreamingContext context) => Fails = false;
    }

    [Serializable]
    public sealed class Stand : IObjectReference, IThing
    {
        public object? Target;

        public object GetRealObject(StreamingContext context) => Target!;
    }

    [Serializable]
    public struct Coin : IObjectReference
    {
        public object? Any;

        public readonly object GetRealObject(StreamingContext context) => Any!;
    }
}
