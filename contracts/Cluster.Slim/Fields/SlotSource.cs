using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>Where plans get the slots of their parts from: the registry for messages of this process's own layouts, and
/// a description for messages of others.</summary>
internal abstract class SlotSource(TypeRules rules)
{
    public TypeRules Rules => rules;

    /// <summary>The slots of this process's own layouts.</summary>
    public abstract SlotSource Own { get; }

    /// <summary>The plan of a type by this process's own layout.</summary>
    public abstract ObjectPlan PlanOf(Type type);

    /// <summary>How values in a place of the declared type are written and read.</summary>
    public abstract Slot SlotOf(Type type);

    public Slot<T> SlotOf<T>() => (Slot<T>)SlotOf(typeof(T));

    /// <summary>The fields of a user's type as a <see cref="FieldSet{T}"/>, or null if it is written without.</summary>
    public abstract object? FindFields(Type type);
}
