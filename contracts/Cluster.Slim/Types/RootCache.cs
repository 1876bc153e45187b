using System.Reflection;
using System.Runtime.CompilerServices;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>
/// The roots of one serializer by declared type. Reads are an array access by a number that every type has once per
/// process; the array is replaced under the lock and never changed in place.
/// </summary>
internal sealed class RootCache(TypeRules rules, PlanRegistry plans)
{
    private static int _numberNext;

    private readonly Lock _adding = new();
    private Root?[] _roots = [];

    internal Root<T> Of<T>()
    {
        Root?[] roots = Volatile.Read(ref _roots);
        int number = Number<T>.Value;

        // The number says that the root is of the right type.
        return number < roots.Length && roots[number] is { } root ? Unsafe.As<Root<T>>(root) : Add<T>(number);
    }

    internal Root Of(Type type)
    {
        TypeRules.ThrowIfWithoutValues(type, nameof(type));
        return (Root)typeof(RootCache)
            .GetMethod(nameof(OfUntyped), BindingFlags.Instance | BindingFlags.NonPublic)!
            .MakeGenericMethod(type)
            .Invoke(this, BindingFlags.DoNotWrapExceptions, null, null, null)!;
    }

    private Root<T> OfUntyped<T>() => Of<T>();

    // The root is made outside the lock, because predicates of the options run in it. A lost race makes an equal one.
    private Root<T> Add<T>(int number)
    {
        Root<T> root = Make<T>();
        lock (_adding)
        {
            Root?[] grown = new Root?[Math.Max(number + 1, _roots.Length)];
            _roots.CopyTo(grown, 0);
            root = (Root<T>)(grown[number] ??= root);
            Volatile.Write(ref _roots, grown);
            return root;
        }
    }

    private Root<T> Make<T>()
    {
        AllowSet allowed = new(typeof(T), rules, plans);
        if (!typeof(T).IsValueType)
            return New<T>(typeof(ObjectRoot<>), typeof(T), allowed);
        return Nullable.GetUnderlyingType(typeof(T)) is { } underlying
            ? New<T>(typeof(NullableRoot<>), underlying, allowed, plans)
            : New<T>(typeof(ValueRoot<>), typeof(T), allowed, plans);
    }

    private static Root<T> New<T>(Type open, Type argument, params object[] values) =>
        (Root<T>)Activations.New(open, [argument], values);

    /// <summary>The number of a declared type, the same for all serializers of the process.</summary>
    private static class Number<T>
    {
        internal static readonly int Value = Interlocked.Increment(ref _numberNext) - 1;
    }
}
