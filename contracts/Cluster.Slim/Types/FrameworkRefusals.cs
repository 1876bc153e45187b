using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Cluster.Slim.Types;

/// <summary>Why framework types without a codec have none, as far as there is more to say than that.</summary>
internal static class FrameworkRefusals
{
    private const string Code = "code is not data.";
    private const string Vanishing = "what it refers to may vanish while it is written; carry the object itself.";
    private const string OfOneThread = "its value belongs to one thread or flow of calls; carry the value.";
    private const string InProgress = "it is work in progress; await it and carry its result.";

    private static readonly Dictionary<Type, string> Reasons = new()
    {
        [typeof(WeakReference<>)] = Vanishing,
        [typeof(ConditionalWeakTable<,>)] = Vanishing,
        [typeof(BlockingCollection<>)] = "threads wait for each other in it; carry its items: ToArray().",
        [typeof(ThreadLocal<>)] = OfOneThread,
        [typeof(AsyncLocal<>)] = OfOneThread,
        [typeof(ValueTask)] = InProgress,
        [typeof(ValueTask<>)] = InProgress,
        [typeof(TaskCompletionSource)] = InProgress,
        [typeof(TaskCompletionSource<>)] = InProgress,
    };

    internal static string ReasonFor(Type type)
    {
        Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        if (Reasons.TryGetValue(definition, out string? reason))
            return reason;
        if (typeof(MemberInfo).IsAssignableFrom(type) || typeof(ParameterInfo).IsAssignableFrom(type))
            return Code;
        return type.Namespace switch
        {
            "System.Threading" => "it coordinates the threads of one process.",
            "System.Linq" => "it is a query or a group of one; carry its items: ToList() or ToDictionary().",
            "System.Linq.Expressions" or "System.Reflection.Emit" => Code,
            _ => "there is no codec for this framework type.",
        };
    }
}
