using System.Text.RegularExpressions;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Types.Policy;

/// <summary>The deny list and the reasons why values of a type cannot be carried. It overrides every way of allowing a
/// type.</summary>
internal static class Refusals
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const string Address = "an address has no meaning outside its process.";

    private static readonly (Type Base, string Reason)[] Denied =
    [
        (typeof(Stream), "it holds an operating-system handle or a position in one."),
        (typeof(SafeHandle), "it holds an operating-system handle."),
        (typeof(CriticalHandle), "it holds an operating-system handle."),
        (typeof(WaitHandle), "it holds an operating-system handle."),
        (typeof(Thread), "a thread lives in one process."),
        (typeof(Task), "a task is work in progress; await it and carry its result."),
        (typeof(CancellationTokenSource), "cancellation is not data; pass a token beside the graph."),
        (typeof(CancellationToken), "cancellation is not data; pass a token beside the graph."),
        (typeof(ITimer), "a timer is work in progress."),
        (typeof(Timer), "a timer is work in progress."),
        (typeof(TextReader), "it is a position in a stream."),
        (typeof(TextWriter), "it is a position in a stream."),
        (typeof(Assembly), "code is not data."),
        (typeof(Module), "code is not data."),
        (typeof(System.Net.Sockets.Socket), "it holds an operating-system handle."),
        (typeof(Regex), "a pattern is a program; carry its text and options, and build it where it is used."),
        (typeof(WeakReference), "what it refers to may vanish while it is written."),
        (typeof(System.Runtime.CompilerServices.IAsyncStateMachine), "it is a method in progress."),
        (typeof(SlimBytes), "its bytes may lie in memory of somebody else, so it is no object; carry a byte[]."),
        (typeof(IEnumerator), "an enumerator is a position in a collection; carry the collection."),
    ];

    public static string? ReasonFor(Type type, TypeRules rules)
    {
        if (IsAddress(type) || type.IsByRef || type.IsByRefLike
            || type == typeof(nint) || type == typeof(nuint) || type == typeof(GCHandle)
            || (type.IsArray && IsAddress(type.GetElementType()!)))
            return Address;
        if (typeof(Delegate).IsAssignableFrom(type))
            return ReasonForDelegate(type, rules);
        foreach ((var denied, var reason) in Denied)
        {
            if (denied.IsAssignableFrom(type))
                return reason;
        }

        if (rules.Codecs.ContainsKey(type))
            return null;
        if (type.IsArray)
            return null;
        if (Gadgets.IsKnown(type))
            return "its content makes code run; it is known from attacks on serializers.";
        if (TypeRules.IsFramework(type))
            return FrameworkForms.IsCarried(type) ? null : FrameworkRefusals.ReasonFor(type);
        return ReasonForUserType(type, rules);
    }

    private static bool IsAddress(Type type) => type.IsPointer || type.IsFunctionPointer;

    private static string? ReasonForUserType(Type type, TypeRules rules)
    {
        if (type.IsEnum)
            return null;
        if (type.IsCOMObject || type.IsMarshalByRef)
            return "it stands for an object elsewhere.";
        if (TypeShape.FieldsOf(type).Find(static f => IsAddress(f.FieldType)) is { } pointer)
            return $"its field {pointer.Name} is a pointer, and {Address} Mark it [NonSerialized].";
        if (Overlays.ReasonFor(type) is { } overlay)
            return overlay;
        if (type.IsValueType && StructNesting.IsTooDeep(type))
            return $"structs lie in it more than {StructNesting.DepthMax} deep. Make one of them a class.";
        if (Finalizers.IsPresent(type) && !rules.IsOpen && !rules.Types.Contains(type))
            return $"it has a finalizer. If it may run on what a message holds, add: .Allow<{type.Name}>()";
        var framework = TypeShape.FrameworkBaseOf(type);
        if (framework is not null && IsStateless(framework))
            framework = typeof(object);
        if (framework is not null && framework != typeof(object) && framework != typeof(ValueType)
            && !FrameworkForms.IsCarriedBase(framework))
            return $"it derives from {framework}, whose fields are not ours to copy. Add a codec: AddCodec.";
        return ReasonForCallbacks(type, rules);
    }

    // Without its code, a value of such a type would not be what its author meant.
    private static string? ReasonForCallbacks(Type type, TypeRules rules)
    {
        var isSerializable = SelfSerialization.IsPresent(type);
        if (!isSerializable && !CallbackMethods.ArePresent(type))
            return null;
        if (!rules.Honours(type))
        {
            var what = isSerializable ? "it implements ISerializable" : "it has serialization callbacks";
            return $"{what}, and its code may not run. Add: .AllowCallbacks<{type.Name}>(), or a codec: AddCodec.";
        }

        return CallbackMethods.FindMisfit(type) is { } misfit
            ? $"its callback {misfit.Name} is not void {misfit.Name}(StreamingContext)."
            : null;
    }

    private static string? ReasonForDelegate(Type type, TypeRules rules)
    {
        if (rules.Methods.IsEmpty || type.IsAbstract)
            return "a delegate carries code, not data. For static methods add: .AllowMethodsOf(typeof(TheirClass))";
        return null;
    }

    // A base without fields has no state that could get lost, such as the base of event arguments or of comparers.
    private static bool IsStateless(Type framework)
    {
        for (var level = framework; level is not null && level != typeof(object); level = level.BaseType)
        {
            if (level == typeof(ValueType) || level.GetFields(Declared).Length > 0)
                return false;
        }

        return !FrameworkForms.IsCarriedBase(framework);
    }
}
