using Cluster.Slim.Fields;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Roots;

/// <summary>The roots of one serializer by declared type. Reads probe a table by the address of the type, which shared
/// code has at hand; a static field of a generic class would have to be found first, at up to 3 ns for each message.
/// The table is replaced under the lock and never changed in place.</summary>
internal sealed class RootCache(TypeRules rules, SerializerRegistry serializers)
{
    private const int SlotsMin = 16;

    private readonly Lock _adding = new();
    private Root?[] _slots = new Root?[SlotsMin];
    private int _count;

    public Root<T> Of<T>() => Of<T>(Find(RuntimeTypeHandle.ToIntPtr(typeof(T).TypeHandle)));

    /// <summary>The result of <see cref="Find"/> for the type, or a new root.</summary>
    public Root<T> Of<T>(Root? found) =>
        // The address proves that the root is of the right type.
        found is null ? Add<T>() : Unsafe.As<Root<T>>(found);

    /// <summary>The root of the declared type at an address, or null. The callers that every message passes name the
    /// type themselves, because a generic method between would have to find it a second time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Root? Find(nint type)
    {
        var slots = Volatile.Read(ref _slots);
        var root = slots[SlotOf(type) & (slots.Length - 1)];
        return root is null || root.Address == type ? root : FindBehind(slots, type);
    }

    public Root Of(Type type)
    {
        TypeRules.ThrowIfWithoutValues(type, nameof(type));
        return (Root)typeof(RootCache)
            .GetMethod(nameof(OfUntyped), BindingFlags.Instance | BindingFlags.NonPublic)!
            .MakeGenericMethod(type)
            .Invoke(this, BindingFlags.DoNotWrapExceptions, null, null, null)!;
    }

    private Root<T> OfUntyped<T>() => Of<T>();

    // A root is in the first slot that was free from its home slot on; half of the slots stay free.
    private static Root? FindBehind(Root?[] slots, nint type)
    {
        for (var at = SlotOf(type) + 1; ; at++)
        {
            var root = slots[at & (slots.Length - 1)];
            if (root is null || root.Address == type)
                return root;
        }
    }

    // The root is made outside the lock, because predicates of the options run in it. A thread that loses the race has
    // made an equal root.
    private Root<T> Add<T>()
    {
        var root = Make<T>();
        lock (_adding)
        {
            if (Find(root.Address) is { } known)
                return (Root<T>)known;
            var slots = new Root?[Math.Max(SlotsMin, (int)BitOperations.RoundUpToPowerOf2((uint)++_count * 2))];
            foreach (var old in _slots)
                Put(slots, old);
            Put(slots, root);
            Volatile.Write(ref _slots, slots);
            return root;
        }
    }

    private static void Put(Root?[] slots, Root? root)
    {
        if (root is null)
            return;
        var at = SlotOf(root.Address);
        while (slots[at & (slots.Length - 1)] is not null)
            at++;
        slots[at & (slots.Length - 1)] = root;
    }

    private static int SlotOf(nint type) => (int)((type >> 4) ^ (type >> 10)) & int.MaxValue / 2;

    private Root<T> Make<T>()
    {
        AllowSet allowed = new(typeof(T), rules, serializers);
        if (!typeof(T).IsValueType)
            return New<T>(typeof(ObjectRoot<>), typeof(T), allowed);
        return Nullable.GetUnderlyingType(typeof(T)) is { } underlying
            ? New<T>(typeof(NullableRoot<>), underlying, allowed, serializers)
            : New<T>(typeof(ValueRoot<>), typeof(T), allowed, serializers);
    }

    private static Root<T> New<T>(Type open, Type argument, params object[] values) =>
        (Root<T>)Activations.New(open, [argument], values);
}
