namespace Cluster.Pile.Records;

/// <summary>
/// Records that may share a segment: those of one priority whose deadlines lie in one window, or that have none. An
/// immutable value.
/// </summary>
/// <param name="Priority">What lower priorities never displace.</param>
/// <param name="Level">How wide the window is; zero for no deadline.</param>
/// <param name="Window">Which window of that width it is.</param>
internal readonly record struct LogClass(byte Priority, byte Level, uint Window);
