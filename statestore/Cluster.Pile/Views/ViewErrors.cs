using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>The exceptions of changes that views block, kept out of the hot methods so that those stay small.
/// Stateless.</summary>
internal static class ViewErrors
{
    [DoesNotReturn]
    public static void UnderOwnView(OpenView own) =>
        throw new PileBusyException(
            $"The object {own.Pointer} is under a view of this same thread, taken at {own.File}:{own.Line}; waiting "
            + "would never end. Dispose that view before the change.",
            own.Pointer);

    [DoesNotReturn]
    public static void UnderViews(PilePointer pointer, TimeSpan waited) =>
        throw new PileBusyException(
            (pointer.IsDefault ? "Objects of the pile were" : $"The object {pointer} was")
            + $" under views of other threads for {nameof(PileOptions)}.{nameof(PileOptions.PinWait)}, {waited}; "
            + "dispose views sooner, raise that option, or try again.",
            pointer);
}
