using System.Collections;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Serialization;
using System.Text.RegularExpressions;
using Cluster.Slim.Codecs;

namespace Cluster.Slim.Types;

/// <summary>The deny list and the reasons why values of a type cannot be carried. It beats every way of
/// allowing.</summary>
internal static class Refusals
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly (Type Base, string Reason)[] Denied =
    [
        (typeof(Delegate), "a delegate carries code, not data."),
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
        (typeof(IEnumerator), "an enumerator is a position in a collection; carry the collection."),
    ];

    internal static string? ReasonFor(Type type, TypeRules rules)
    {
        if (type.IsPointer || type.IsByRef || type.IsByRefLike || type.IsFunctionPointer
            || type == typeof(nint) || type == typeof(nuint) || type == typeof(GCHandle))
            return "an address has no meaning outside its process.";
        foreach ((Type denied, string reason) in Denied)
        {
            if (denied.IsAssignableFrom(type))
                return reason;
        }

        if (rules.Codecs.ContainsKey(type))
            return null;
        if (type.IsArray)
            return null;
        if (TypeRules.IsFramework(type))
            return FrameworkCodecs.IsCarried(type) ? null : "there is no codec for this framework type.";
        return ReasonForUserType(type, rules);
    }

    private static string? ReasonForUserType(Type type, TypeRules rules)
    {
        if (type.IsEnum)
            return null;
        if (type.IsCOMObject || type.IsMarshalByRef)
            return "it stands for an object elsewhere.";
        if (Overlays.ReasonFor(type) is { } overlay)
            return overlay;
        if (HasFinalizer(type) && !rules.IsOpen && !rules.Types.Contains(type))
            return $"it has a finalizer. If it may run on what a message holds, add: .Allow<{type.Name}>()";
        Type? framework = type.BaseType;
        while (framework is not null && !TypeRules.IsFramework(framework))
            framework = framework.BaseType;
        if (framework is not null && framework != typeof(object) && framework != typeof(ValueType)
            && !FrameworkCodecs.IsCarriedBase(framework))
            return $"it derives from {framework}, whose fields are not ours to copy. Add a codec: AddCodec.";
        if (typeof(ISerializable).IsAssignableFrom(type) && framework == typeof(object))
            return "it implements ISerializable, which is not honoured. Add a codec: AddCodec.";
        return HasCallbacks(type, framework)
            ? "it has serialization callbacks, which are not run. Add a codec: AddCodec."
            : null;
    }

    /// <summary>Whether a user's class of the chain declares a finalizer.</summary>
    internal static bool HasFinalizer(Type type)
    {
        for (Type? level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
        {
            if (level.IsClass && level.GetMethod("Finalize", Declared, Type.EmptyTypes) is { IsVirtual: true })
                return true;
        }

        return false;
    }

    private static bool HasCallbacks(Type type, Type? framework)
    {
        if ((typeof(IDeserializationCallback).IsAssignableFrom(type)
                && !typeof(IDeserializationCallback).IsAssignableFrom(framework))
            || type.GetInterface("System.Runtime.Serialization.IObjectReference") is not null)
            return true;
        for (Type? level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
        {
            if (level.GetMethods(Declared).Any(IsCallback))
                return true;
        }

        return false;
    }

    private static bool IsCallback(MethodInfo method) =>
        method.Name == nameof(IDeserializationCallback.OnDeserialization) ||
        method.IsDefined(typeof(OnSerializingAttribute), false)
        || method.IsDefined(typeof(OnSerializedAttribute), false)
        || method.IsDefined(typeof(OnDeserializingAttribute), false)
        || method.IsDefined(typeof(OnDeserializedAttribute), false);
}
