using Cluster.Glue.Serving;

namespace Cluster.Glue.Catalog;

/// <summary>Emitted code that reads a method's arguments from a call, ends the reading, calls the method, and hands the
/// result to the Return method of the call that fits its shape.</summary>
internal delegate void CallInvoker(object service, IncomingCall call);
