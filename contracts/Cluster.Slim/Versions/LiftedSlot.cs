using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Versions;

/// <summary>A nullable place in which values were written that could not be null.</summary>
/// <typeparam name="T">The underlying type of the place.</typeparam>
internal sealed class LiftedSlot<T>(Slot<T> slot) : Slot<T?>
    where T : struct
{
    internal override int BytesMin => slot.BytesMin;

    internal override void Describe(LayoutBuilder layout) => throw DescribedSlots.NeverWritten();

    internal override void Write(SlimWriter writer, T? value) => throw DescribedSlots.NeverWritten();

    internal override T? Read(SlimReader reader) => slot.Read(reader);
}
