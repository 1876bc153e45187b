using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>Roots of a value type: not boxed, but with the handle a box would have.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class ValueRoot<T>(AllowSet allowed, PlanRegistry plans) : Root<T>(allowed)
    where T : struct
{
    private readonly BoxPlan<T> _plan = (BoxPlan<T>)plans.PlanOf(typeof(T));

    public override void Write(SlimWriter writer, T value)
    {
        writer.WriteValueHead(_plan);
        _plan.Slot.Write(writer, value);
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        if (reader.ReadVar() != Heads.NewTyped)
            Throw.Malformed($"The root is not a new {typeof(T)}.");
        var plan = reader.ReadType();
        if (plan is not BoxPlan<T> box)
        {
            Throw.Malformed($"The root is a {plan.Type}, not a {typeof(T)}.");
            return default;
        }

        reader.BeginValue();
        var value = box.Slot.Read(reader);
        reader.Depth--;
        return value;
    }
}
