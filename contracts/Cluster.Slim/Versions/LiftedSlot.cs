using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A nullable place in which values were written that could not be null.</summary>
/// <typeparam name="T">The underlying type of the place.</typeparam>
internal sealed class LiftedSlot<T>(Slot<T> slot) : Slot<T?>
    where T : struct
{
    public override int BytesMin => slot.BytesMin;

    public override void Describe(LayoutBuilder layout) => throw DescribedSlots.NeverWritten();

    public override void Write(SlimWriter writer, T? value) => throw DescribedSlots.NeverWritten();

    public override T? Read(SlimReader reader) => slot.Read(reader);
}
